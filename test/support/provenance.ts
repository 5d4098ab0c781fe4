import type { Provenance } from '../../src/artifact.js';

/** Provenance of a healthy hold run on one model; `changes` are what the test is about. */
export function provenanceOf(changes: Partial<Provenance> = {}): Provenance {
  return {
    stage: 'transcribe',
    batchId: 'batch-1',
    runContext: 'reprocess',
    failureStrategy: 'hold',
    optionId: 'whisper-large',
    tierIndex: 0,
    provider: 'tailnet_dgx_whisper',
    endpointId: 'dgx-speaches',
    modelRequested: 'large-v3',
    modelReported: 'large-v3',
    modelReportedBy: 'answer',
    method: 'model',
    methodVersion: '1',
    attempts: 1,
    inputs: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    ...changes,
  };
}
