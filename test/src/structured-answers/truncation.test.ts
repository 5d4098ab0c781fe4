import fc from 'fast-check';
import type { AnswerShape } from '../../../src/structured-answers/answer-shape.js';
import { parseAnswer } from '../../../src/structured-answers/answer-shape.js';
import { entailmentShape } from '../../../src/structured-answers/entailment.js';
import { insightValueGateShape } from '../../../src/structured-answers/insight-value-gate.js';
import { insightsShape, parseInsights, type InsightList } from '../../../src/structured-answers/insights.js';
import { InvalidAnswerError } from '../../../src/structured-answers/invalid-answer.js';
import { knowledgeGraphShape } from '../../../src/structured-answers/knowledge-graph.js';
import { quotesShape } from '../../../src/structured-answers/quotes.js';
import { speakerNamesShape } from '../../../src/structured-answers/speaker-names.js';
import { parseSummary, summaryShape } from '../../../src/structured-answers/summary.js';
import { answersOf, anyText } from '../../support/answers-of.js';

interface Reader {
  readonly shape: AnswerShape<unknown>;
  /** As the text stage reads the answer. */
  readonly read: (text: string) => unknown;
}

const byShape = (shape: AnswerShape<unknown>): Reader => ({ shape, read: (text) => parseAnswer(shape, text) });
const readers: readonly Reader[] = [
  { shape: summaryShape, read: parseSummary },
  ...[insightValueGateShape, quotesShape, entailmentShape, knowledgeGraphShape, speakerNamesShape].map(byShape),
];
const wrappings: readonly (readonly [front: string, back: string])[] = [
  ['', ''],
  ['```json\n', '\n```'],
  ['<think>so {"a":1}</think>\n', ''],
  ['so {"a":1}</think>\n```\n', '\n```'],
];

const outcomeOf = (read: () => unknown): string => {
  try {
    read();
    return 'valid';
  } catch (error) {
    return error instanceof InvalidAnswerError ? 'invalid' : `another error: ${String(error)}`;
  }
};
const layouts = fc.constantFrom(undefined, 2);

describe.each(readers)('an answer of the shape $shape.name', ({ shape, read }) => {
  const answers = answersOf(shape.jsonSchema);

  it('is valid when it is whole, and invalid when it is cut, wherever that is, wrapped or not', () => {
    fc.assert(
      fc.property(answers, layouts, fc.constantFrom(...wrappings), (answer, indent, [front, back]) => {
        const whole = JSON.stringify(answer, undefined, indent);
        expect(outcomeOf(() => read(front + whole + back))).toBe('valid');
        for (let cut = 0; cut < whole.length; cut += 1) {
          for (const end of ['', back]) {
            const outcome = outcomeOf(() => read(front + whole.slice(0, cut) + end));
            if (outcome !== 'invalid') throw new Error(`${outcome} when cut at ${cut} of ${whole}`);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('is valid or an invalid answer, whatever is done to its text', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(6), anyText), { minLength: 1, maxLength: 4 });

    fc.assert(
      fc.property(answers, edits, (answer, made) => {
        let text = JSON.stringify(answer);
        for (const [at, removed, added] of made) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + added + text.slice(place + removed);
        }
        expect(['valid', 'invalid']).toContain(outcomeOf(() => read(text)));
      }),
      { numRuns: 150 },
    );
  });
});

describe('parseInsights', () => {
  it('reads of a list that is cut nothing but whole lines of it, wherever that is, and says so', () => {
    fc.assert(
      fc.property(answersOf(insightsShape.jsonSchema), layouts, fc.boolean(), (answer, indent, isKnown) => {
        const whole = JSON.stringify(answer, undefined, indent);
        const all = parseInsights(whole, false).lines;
        for (let cut = 0; cut < whole.length; cut += 1) {
          let list: InsightList | undefined;
          const outcome = outcomeOf(() => (list = parseInsights(whole.slice(0, cut), isKnown)));
          expect(['valid', 'invalid']).toContain(outcome);
          if (list === undefined) continue;
          expect(list.salvaged).toBe(true);
          expect(all.slice(0, list.lines.length)).toEqual(list.lines);
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe.each<[string, (text: string) => unknown]>([
  ['parseSummary', parseSummary],
  ['parseInsights', (text) => parseInsights(text, true)],
])('%s', (_, read) => {
  // Read in less than a second where the time grows with the length, and in hours where it grows with its square.
  it.each([
    ['escaped quotes in a string that does not end', `{"${'\\"'.repeat(2_000_000)}`],
    ['brackets and quotes in a string that does not end', `{"a${'\\"{'.repeat(1_000_000)}`],
    ['brackets that open', '{"a":['.repeat(1_000_000)],
    ['white space behind commas', `{"a":1${`,${' '.repeat(1000)}`.repeat(2000)}`],
    ['think blocks that do not end', '<think>'.repeat(1_000_000)],
  ])('takes megabytes of %s for invalid at once', (_, text) => {
    expect(outcomeOf(() => read(text))).toBe('invalid');
  });
});
