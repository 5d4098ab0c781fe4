import fc from 'fast-check';
import { llmTextEngine } from '../../../activities/text/llm-engine.js';
import { transcriptText } from '../../../src/grounding.js';
import { giArtifactSchema } from '../../../src/insights.js';
import { kgArtifactSchema } from '../../../src/knowledge-graph.js';
import { entailmentShape } from '../../../src/structured-answers/entailment.js';
import { insightValueGateShape } from '../../../src/structured-answers/insight-value-gate.js';
import { insightsShape } from '../../../src/structured-answers/insights.js';
import { knowledgeGraphShape } from '../../../src/structured-answers/knowledge-graph.js';
import { quotesShape } from '../../../src/structured-answers/quotes.js';
import { speakerNamesShape } from '../../../src/structured-answers/speaker-names.js';
import { summaryShape } from '../../../src/structured-answers/summary.js';
import { summaryArtifactSchema } from '../../../src/summary.js';
import { verifyEdges, verifyGrounding, verifyKeyQuotes } from '../../../src/verify-grounding.js';
import { answersOf, anyText } from '../../support/answers-of.js';
import { schemaFaults } from '../../support/artifact-schemas.js';
import { scriptedModel, type Script } from '../../support/scripted-model.js';
import { episodeOf, spoken } from '../../support/spoken.js';

/** Two voices that no rule can name. */
const transcript = spoken([
  'A: So here we are again, in the workshop of Nadia Sereni 😀, who has built wheels for O’Brien for years.',
  'B: For thirty years — and the spokes, they always tell you when they’re tired. Água e pedra.',
  'A: And at the Cascadia Alliance they say: braking earlier beats bigger risks.',
]);
const words = transcriptText(transcript);
/** Pieces of what was said, places in it, and everything that breaks a text. */
const texts = fc.oneof(
  fc.tuple(fc.nat(words.length), fc.nat(60)).map(([from, length]) => words.slice(from, from + length)),
  fc.constantFrom(
    'SPEAKER_00',
    'SPEAKER_01',
    'Nadia Sereni',
    'Cascadia Alliance',
    "O'Brien",
    '[0:05]',
    '0:09',
    ' ',
    '!?',
    '',
  ),
  fc.string({ unit: 'binary' }),
  anyText,
);
const shapes = [
  summaryShape,
  insightsShape,
  insightValueGateShape,
  quotesShape,
  entailmentShape,
  speakerNamesShape,
  knowledgeGraphShape,
];
const answers = fc.record(
  Object.fromEntries(shapes.map(({ name, jsonSchema }) => [name, answersOf(jsonSchema, texts)])),
);

function summaryFaults(artifact: unknown): string[] {
  return artifact === undefined ? [] : verifyKeyQuotes(summaryArtifactSchema.parse(artifact), transcript);
}

function insightFaults(artifact: unknown): string[] {
  if (artifact === undefined) return [];
  return [...verifyGrounding(giArtifactSchema.parse(artifact), transcript), ...(schemaFaults('gi', artifact) ?? [])];
}

function graphFaults(artifact: unknown): string[] {
  return [...verifyEdges(kgArtifactSchema.parse(artifact)), ...(schemaFaults('kg', artifact) ?? [])];
}

describe('llmTextEngine', () => {
  it('makes valid and grounded artifacts of any answers that satisfy their schemas, or calls them invalid', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (given) => {
        const script: Script = Object.fromEntries(Object.entries(given).map(([name, json]) => [name, [{ json }]]));
        const engine = llmTextEngine(scriptedModel(script).deps);
        const input = { episode: episodeOf({ description: 'With O’Brien.' }), transcript };
        const orInvalid = (error: unknown): undefined => {
          expect(error).toMatchObject({ name: 'InvalidAnswerError' });
          return undefined;
        };

        const summary = await engine.summarize(input).catch(orInvalid);
        const insights = await engine.insights(input).catch(orInvalid);
        const graph = await engine.knowledgeGraph(input);

        expect([...summaryFaults(summary?.artifact), ...insightFaults(insights?.artifact)]).toEqual([]);
        expect(graphFaults(graph.artifact)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
