import { textFiguresOf } from '../../src/text-figures.js';
import { transcriptSchema } from '../../src/transcript.js';
import type { ArtifactName } from '../../src/artifact.js';
import { extractiveTextEngine } from '../text/extractive-engine.js';
import type { TextEngine, TextEngineInput, TextResult } from '../text/engine.js';
import { llmTextEngine } from '../text/llm-engine.js';
import type { AnswerMemory } from '../text/model-calls.js';
import { ClassifiedError } from '../throw-failure.js';
import { createCallBudget, type CallBudget } from './call-budget.js';
import { callOptions } from './call-options.js';
import { fileAnswerMemory } from './answer-memory.js';
import type { Attempt } from './attempt.js';
import { countViolation, measureCall, type Violation } from './measure-call.js';
import { blobOf } from './stage-job.js';
import type { MakeStage, StageContext, StageMade } from './stage-work.js';

/** Told of every answer that is no use, which is counted already. */
export type OnViolation = (violation: Violation) => void;

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
      const { input, key } = context;
      const memory = fileAnswerMemory(input.plan, key);
      const budget = createCallBudget(input);
      let rerolls = 0;
      const note: OnViolation = (violation) => {
        if (violation.isAskedAgain) rerolls += 1;
        onViolation(violation);
      };
      const engine = engineFor(context, attempt, { budget, memory, onViolation: note });
      const result = await run(engine, await readInput(context));
      const builtin = input.tier.wire === 'local-extractive';
      return { ...madeOf(result, { file, builtin }), rerolls, afterSaving: () => memory.forget() };
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
  return { episode, transcript: await store.readJson(blobOf(spoken), transcriptSchema) };
}

interface Tools {
  readonly budget: CallBudget;
  readonly memory: AnswerMemory;
  readonly onViolation: OnViolation;
}

function engineFor(context: StageContext, attempt: Attempt, tools: Tools): TextEngine {
  const { client, service, input, nowIso } = context;
  const { tier } = input;
  const figures = textFiguresOf(tier.settings);
  if (tier.wire === 'local-extractive') return extractiveTextEngine({ nowIso, figures });
  if (client.complete === undefined) throw new ClassifiedError('Misconfigured', `${tier.wire} does not complete text`);
  const send = client.complete.bind(client);
  const contextTokens = tier.limits?.contextTokens;
  return llmTextEngine({
    modelId: tier.model,
    nowIso,
    figures,
    memory: tools.memory,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    onViolation: (question, reason, isAskedAgain) => {
      const violation = { service: question, reason, endpointId: tier.endpointId, isAskedAgain };
      countViolation(violation);
      tools.onViolation(violation);
    },
    complete: async (_purpose, request) => {
      await tools.budget.tick();
      attempt.sent(1);
      const answer = await measureCall(context, () => send(request, service, callOptions(context, attempt)));
      await attempt.answered();
      return answer;
    },
  });
}

function madeOf(
  result: TextResult<unknown>,
  about: { readonly file: ArtifactName; readonly builtin: boolean },
): StageMade {
  const document = JSON.stringify(result.artifact, undefined, 2);
  return {
    document,
    files: { [about.file]: document },
    modelReported: result.modelReported,
    modelReportedBy: about.builtin ? 'builtin' : 'answer',
    method: result.method,
    ...(result.degraded === undefined ? {} : { degraded: result.degraded }),
  };
}
