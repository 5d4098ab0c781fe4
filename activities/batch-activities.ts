import { Context } from '@temporalio/activity';
import type { RunPlan } from '../src/run-plan.js';
import type { ArtifactStore } from './artifact-store.js';
import type { BatchActivities } from './contracts.js';
import { batchRecordFile, removeOutcomePages, saveOutcomePage, writeBatchRecord } from './corpus/batch-record.js';
import { verifyCorpus } from './corpus/verify-corpus.js';
import type { EndpointMessenger } from './endpoint/endpoint-messenger.js';
import { listEpisodes } from './feed/list-episodes.js';
import { manifestEpisodes, readManifestPage, writeManifest } from './feed/manifest.js';
import { createPreflight, type PreflightDependencies } from './plan/preflight.js';
import { createResolveRunPlan, type PlanDependencies } from './plan/resolve-run-plan.js';
import { classified, settingUp } from './throw-failure.js';

export interface BatchDependencies {
  readonly store: (corpusDir: string) => ArtifactStore;
  readonly plan: () => Promise<PlanDependencies>;
  readonly preflight: PreflightDependencies;
  readonly messenger: Pick<EndpointMessenger, 'configure'>;
  readonly nowMs: () => number;
}

/** Another batch over the same feed may be writing an episode of this one; that takes far less. */
const lookAgainAfterMs = [1_000, 4_000, 10_000];
/** Findings beyond so many are counted, not listed: a result must stay small. */
const findingsListed = 50;

export function createBatchActivities(deps: BatchDependencies): BatchActivities {
  return {
    resolveRunPlan: async (request) => {
      const resolved = await createResolveRunPlan(await deps.plan())(request);
      const { corpusDir } = resolved;
      const { sha256: digest } = await settingUp(corpusDir, () => deps.store(corpusDir).put(JSON.stringify(resolved)));
      const plan = { ...resolved, digest };
      // Endpoints learn their settings before the first permit is asked for.
      await Promise.all(Object.values(plan.endpoints).map((settings) => deps.messenger.configure(settings)));
      return plan;
    },
    preflight: createPreflight(deps.preflight),
    listEpisodes: ({ plan, input }) => {
      const cancellation = Context.current().cancellationSignal;
      return classified(async () => {
        const { only, limit } = input;
        const episodes = await listEpisodes(input.source, { only, limit }, { cancellation });
        const heartbeat = (stored: number): void => Context.current().heartbeat(stored);
        const { manifest } = await settingUp(plan.corpusDir, async () => {
          await removeOutcomePages(plan.corpusDir, plan.batchId);
          return writeManifest(deps.store(plan.corpusDir), episodes, { cancellation, heartbeat });
        });
        return { manifest, requested: episodes.length };
      }, cancellation);
    },
    readEpisodes: ({ corpusDir, manifest, offset, limit }) =>
      classified(
        () => readManifestPage(deps.store(corpusDir), manifest, { offset, limit }),
        Context.current().cancellationSignal,
      ),
    recordEpisodes: ({ facts, page, reports }) =>
      classified(
        () => saveOutcomePage(facts.corpusDir, { batchId: facts.batchId, page, episodes: reports }),
        Context.current().cancellationSignal,
      ),
    closeBatch: (input) => closeBatch(input, deps),
  };
}

async function closeBatch(
  { plan, manifest, counts, state, startedAtMs }: Parameters<BatchActivities['closeBatch']>[0],
  deps: BatchDependencies,
): ReturnType<BatchActivities['closeBatch']> {
  const { corpusDir, batchId, profile } = plan;
  return classified(async () => {
    const findings = await findingsOf(plan);
    const summary = {
      ...{ batchId, state, profile, corpusDir, findings, requested: counts.requested },
      startedAt: new Date(startedAtMs).toISOString(),
      finishedAt: new Date(deps.nowMs()).toISOString(),
    };
    await writeBatchRecord(corpusDir, summary, manifestEpisodes(deps.store(corpusDir), manifest));
    return { record: batchRecordFile(corpusDir, batchId), findings };
  }, Context.current().cancellationSignal);
}

/** The ownership check over this batch's episodes: is the corpus what the plan says? */
async function findingsOf(plan: RunPlan): Promise<string[]> {
  const findings: string[] = [];
  let found = 0;
  const options = {
    batchId: plan.batchId,
    plan,
    cancellation: Context.current().cancellationSignal,
    heartbeat: (episodes: number): void => Context.current().heartbeat(episodes),
    lookAgainAfterMs,
  };
  for await (const finding of verifyCorpus(plan.corpusDir, options)) {
    found += 1;
    if (findings.length < findingsListed) findings.push(`${finding.episode}: ${finding.message}`);
  }
  if (found > findings.length) findings.push(`and ${found - findings.length} more: run holdfast verify`);
  return findings;
}
