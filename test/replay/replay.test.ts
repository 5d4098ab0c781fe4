import path from 'node:path';
import { temporal } from '@temporalio/proto';
import { DefaultLogger, Runtime, Worker, bundleWorkflowCode, type ReplayWorkerOptions } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { startOpenTelemetry } from '../../workers/open-telemetry.js';
import { repositoryRoot, workflowBundleFile } from '../support/prepared.js';
import { readRecorded, recordedNames, type RecordedHistory } from './recorded-history.js';

/** A collector that is not there. */
const nowhere = { endpoint: 'http://127.0.0.1:9' };

/** Runs today's workflow code over a history. @throws DeterminismViolationError where it would do something else */
async function replay(
  { workflowId, history }: RecordedHistory,
  options: ReplayWorkerOptions = { workflowBundle: { codePath: workflowBundleFile } },
): Promise<void> {
  await Worker.runReplayHistory(options, temporal.api.history.v1.History.fromObject(history), workflowId);
}

describe('the workflows', () => {
  beforeAll(() => {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
    });
  });

  it.each(recordedNames())('go the same way again over the recorded history %s', async (name) => {
    await expect(replay(readRecorded(name))).resolves.toBeUndefined();
  });

  it('go the same way again where tracing has been switched on since', async () => {
    const tracing = startOpenTelemetry({
      ...nowhere,
      serviceName: 'holdfast-worker',
      onFault: () => undefined,
    });
    const { plugins } = tracing;
    const workflowsPath = path.join(repositoryRoot, 'workflows', 'index.ts');
    const workflowBundle = await bundleWorkflowCode({ workflowsPath, plugins, logger: new DefaultLogger('ERROR') });
    for (const name of recordedNames()) {
      await expect(replay(readRecorded(name), { workflowBundle, plugins })).resolves.toBeUndefined();
    }
    await tracing.stop();
  });

  it('are told apart from a history that went another way', async () => {
    const recorded = readRecorded('episode-healthy');
    const text = JSON.stringify(recorded).replaceAll('"transcribe"', '"describe"');

    await expect(replay(JSON.parse(text) as RecordedHistory)).rejects.toThrow(DeterminismViolationError);
  });
});
