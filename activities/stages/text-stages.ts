import { summaryArtifactSchema } from '../../src/summary.js';
import { transcriptSchema } from '../../src/transcript.js';
import type { ArtifactName } from '../../src/artifact.js';
import { extractiveTextEngine } from '../text/extractive-engine.js';
import type { TextEngine, TextEngineInput, TextResult } from '../text/engine.js';
import { llmTextEngine } from '../text/llm-engine.js';
import { ClassifiedError } from '../throw-failure.js';
import { createCallBudget, type CallBudget } from './call-budget.js';
import { callOptions } from './call-options.js';
import type { Attempt } from './ladder.js';
import { blobOf } from './stage-job.js';
import type { MakeStage, StageContext, StageMade } from './stage-work.js';

/** Counts guardrail violations and re-rolls, by service and reason. */
export type OnViolation = (violation: {
  readonly service: string;
  readonly reason: string;
  readonly endpointId: string;
}) => void;

export interface TextStages {
  readonly summarize: MakeStage;
  readonly gi: MakeStage;
  readonly kg: MakeStage;
}

export function createTextStages(onViolation: OnViolation): TextStages {
  const stage =
    (
      file: ArtifactName,
      run: (engine: TextEngine, input: TextEngineInput) => Promise<TextResult<unknown>>,
    ): MakeStage =>
    async (context, attempt) => {
      const budget = createCallBudget(context.input);
      const engine = engineFor(context, attempt, { budget, onViolation });
      const result = await run(engine, await readInput(context));
      return madeOf(result, {
        file,
        builtin: context.input.tier.wire === 'local-extractive',
        llmCalls: await budget.used(),
      });
    };
  return {
    summarize: stage('summary.json', (engine, input) => engine.summarize(input)),
    gi: stage('insights.gi.json', (engine, input) => engine.insights(input)),
    kg: stage('graph.kg.json', (engine, input) => engine.knowledgeGraph(input)),
  };
}

async function readInput({ input, store, episode }: StageContext): Promise<TextEngineInput> {
  const { documents } = input;
  const spoken = documents.diarize ?? documents.transcribe;
  if (spoken === undefined)
    throw new ClassifiedError('InvalidInput', 'a text stage needs a transcript: enable transcribe');
  const transcript = await store.readJson(blobOf(spoken), transcriptSchema);
  if (documents.summarize === undefined) return { episode, transcript };
  return { episode, transcript, summary: await store.readJson(blobOf(documents.summarize), summaryArtifactSchema) };
}

function engineFor(
  context: StageContext,
  attempt: Attempt,
  tools: { readonly budget: CallBudget; readonly onViolation: OnViolation },
): TextEngine {
  const { client, service, input, nowIso } = context;
  const { tier } = input;
  if (tier.wire === 'local-extractive') return extractiveTextEngine({ nowIso });
  if (client.complete === undefined) throw new ClassifiedError('Misconfigured', `${tier.wire} does not complete text`);
  const send = client.complete.bind(client);
  const contextTokens = tier.limits?.contextTokens;
  return llmTextEngine({
    modelId: tier.model,
    nowIso,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    onViolation: (violated, reason) => tools.onViolation({ service: violated, reason, endpointId: tier.endpointId }),
    complete: async (_purpose, request) => {
      await tools.budget.tick();
      attempt.sent(1);
      return send(request, service, callOptions(context, attempt));
    },
  });
}

function madeOf(
  result: TextResult<unknown>,
  about: { readonly file: ArtifactName; readonly builtin: boolean; readonly llmCalls: number },
): StageMade {
  const document = JSON.stringify(result.artifact, undefined, 2);
  return {
    document,
    files: { [about.file]: document },
    modelReported: result.modelReported,
    modelReportedBy: about.builtin ? 'builtin' : 'answer',
    method: result.method,
    llmCalls: about.llmCalls,
    ...(result.degraded === undefined ? {} : { degraded: result.degraded }),
  };
}
