import type { Provenance } from '../../src/artifact.js';
import type { EpisodeRecord } from '../../src/episode-record.js';
import { filesOfStage } from '../../src/episode-record.js';
import type { RunPlan } from '../../src/run-plan.js';
import type { Stage } from '../../src/stage.js';
import { isLlmStage, stages } from '../../src/stage.js';
import type { Finding, FindingCode } from './finding.js';

type Fault = Pick<Finding, 'code' | 'message'>;

/**
 * The ownership check of one episode: who made each artifact, from what, in which posture, against what its record
 * says of the run and, where it is given, against the run's plan.
 */
export function verifyProvenance(record: EpisodeRecord, plan: RunPlan | undefined): Finding[] {
  const episode = `${record.feedId}/${record.episodeId}`;
  const faults = stages.flatMap((stage) => stageFaults(stage, record, plan));
  if (plan !== undefined) faults.push(...postureFaults(record.posture, plan, 'the episode'));
  return faults.map((fault) => ({ episode, ...fault }));
}

function stageFaults(stage: Stage, record: EpisodeRecord, plan: RunPlan | undefined): Fault[] {
  const ran = record.stages.find((report) => report.stage === stage);
  const finished = ran !== undefined && ran.outcome !== 'failed' && ran.outcome !== 'skipped';
  if (!finished) {
    const owed = record.state === 'done' && plan?.stages[stage].enabled === true;
    return owed ? [fault('stage-missing', `${stage} is planned, but the episode is done without it`)] : [];
  }
  const missing = filesOfStage[stage].filter((name) => record.files[name] === undefined);
  const faults = missing.map((name) => fault('stage-missing', `${stage} ended as ${ran.outcome} without ${name}`));
  if (ran.provenance === undefined) {
    return [...faults, fault('stage-missing', `${stage} ended as ${ran.outcome} without provenance`)];
  }
  return [
    ...faults,
    ...ownerFaults(ran.provenance, plan),
    ...cacheFaults(ran.provenance, record, plan),
    ...inputFaults(ran.provenance, record),
  ];
}

/** Under hold only the chosen option may answer; under failover, any of the chain. */
function ownerFaults(made: Provenance, plan: RunPlan | undefined): Fault[] {
  const { stage } = made;
  if (made.failureStrategy === 'hold' && made.tierIndex > 0) {
    const message = `${stage} was made by ${made.optionId}, tier ${made.tierIndex}, although the run holds its chosen model`;
    return [fault('unplanned', message)];
  }
  if (plan === undefined) return [];
  const { enabled, chain } = plan.stages[stage];
  const allowed = plan.failureStrategy === 'hold' ? chain.slice(0, 1) : chain;
  const tier = allowed.find((one) => one.optionId === made.optionId);
  if (!enabled || tier === undefined) {
    const planned = allowed.map((one) => one.optionId).join(', ');
    return [fault('unplanned', `${stage} was made by ${made.optionId}; planned: ${enabled ? planned : 'not at all'}`)];
  }
  if (tier.endpointId !== made.endpointId || tier.model !== made.modelRequested) {
    const message = `${stage} asked ${made.modelRequested} at ${made.endpointId}; planned: ${tier.model} at ${tier.endpointId}`;
    return [fault('unplanned', message)];
  }
  return [];
}

/** An artifact of this batch has this batch's posture; one of another batch has no business in a reprocess. */
function cacheFaults(made: Provenance, record: EpisodeRecord, plan: RunPlan | undefined): Fault[] {
  if (made.batchId === record.batchId) return postureFaults(made, record.posture, made.stage);
  const mayReuse = plan?.transcriptCacheEnabled ?? record.posture.runContext === 'serve';
  if (mayReuse) return [];
  const message = `${made.stage} was taken from batch ${made.batchId}; a ${record.posture.runContext} regenerates`;
  return [fault('cache-hit', message)];
}

type Posture = EpisodeRecord['posture'];

function postureFaults(found: Posture, expected: Posture, subject: string): Fault[] {
  if (found.runContext === expected.runContext && found.failureStrategy === expected.failureStrategy) return [];
  return [fault('posture', `${subject} ran as ${posture(found)}; expected ${posture(expected)}`)];
}

function posture({ runContext, failureStrategy }: Posture): string {
  return `${runContext}/${failureStrategy}`;
}

/** Speech stages are made from this episode's audio, text stages from documents of this very episode. */
function inputFaults(made: Provenance, record: EpisodeRecord): Fault[] {
  const { stage, inputs } = made;
  const audio = record.audio?.sha256;
  if (!isLlmStage(stage)) {
    if (audio !== undefined && inputs.includes(audio)) return [];
    return [fault('input', `${stage} was made from other audio than ${audio === undefined ? 'none' : short(audio)}`)];
  }
  const documents = record.stages.flatMap(({ documentSha256 }) => documentSha256 ?? []);
  if (documents.length === 0) return [];
  const own = [audio, record.document.sha256, ...documents];
  const foreign = inputs.find((digest) => !own.includes(digest));
  if (foreign === undefined) return [];
  return [fault('input', `${stage} was made from ${short(foreign)}, which is no document of this episode`)];
}

function fault(code: FindingCode, message: string): Fault {
  return { code, message };
}

function short(digest: string): string {
  return `${digest.slice(0, 8)}…`;
}
