import { locateQuote, transcriptText } from '../../src/grounding.js';
import { interleave } from '../../src/interleave.js';
import { labelledChunks, secOfClock } from '../../src/labelled-transcript.js';
import { resolveSpeakerNames, type SpeakerName } from '../../src/speaker-names.js';
import { InvalidAnswerError } from '../../src/structured-answers/invalid-answer.js';
import { parseSummary, summaryShape, type SummaryReading } from '../../src/structured-answers/summary.js';
import { keyQuoteOf, type SummaryArtifact } from '../../src/summary.js';
import type { TextEngineInput } from './engine.js';
import { inOrder } from './in-order.js';
import type { ModelCalls } from './model-calls.js';
import { summaryPrompt } from './prompts/summary.js';
import { summaryReducePrompt } from './prompts/summary-reduce.js';

const maxOutputTokens = 1500;
/** Of a title, at most; broken feeds have whole show notes in it. */
const headChars = 300;
const caps = { keyQuotes: 6, entities: 15, timestamps: 12, nameChars: 100 } as const;

export interface Summarised {
  readonly artifact: Omit<SummaryArtifact, 'model' | 'promptVersion'>;
  readonly degraded: string | undefined;
}

/**
 * Summary by a model: in one call where the transcript fits its context, else by map and reduce, where every failing
 * call is re-rolled by itself. Throws `InvalidAnswerError`: there is no episode without a summary.
 */
export async function summarizeByModel(calls: ModelCalls, input: TextEngineInput): Promise<Summarised> {
  const { episode, transcript } = input;
  const names = resolveSpeakerNames(transcript, episode);
  const [show = '', title = ''] = [episode.feedTitle, episode.title].map((text) => text.slice(0, headChars));
  const head = `Show: ${show}\nEpisode: ${title}\n\n`;
  const room = calls.userChars(summaryPrompt, maxOutputTokens, transcriptText(transcript)) - head.length;
  const chunks = labelledChunks(transcript, names, room);
  if (chunks.length === 0) throw new InvalidAnswerError(summaryShape.name, 'empty_transcript');
  const parts = await inOrder({ items: chunks, task: (chunk) => readSummary(calls, summaryPrompt, head + chunk) });
  const whole = await reduce(calls, parts, head);
  const degraded = [...new Set([...parts, whole].map((part) => part.degraded).filter((text) => text !== undefined))];
  return {
    artifact: artifactOf(input, names, { whole, parts }),
    degraded: degraded.length === 0 ? undefined : degraded.join('; '),
  };
}

function readSummary(calls: ModelCalls, system: string, user: string): Promise<SummaryReading> {
  return calls.ask({ shape: summaryShape, system, user, maxOutputTokens, read: parseSummary });
}

/**
 * Summarises summaries until one is left; each round takes as many as fit into a call, and at least two: these always
 * fit, as an answer is at most a quarter of the context.
 */
async function reduce(calls: ModelCalls, parts: readonly SummaryReading[], head: string): Promise<SummaryReading> {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const maxChars = calls.userChars(summaryReducePrompt, maxOutputTokens, textOf(parts)) - head.length;
  const groups: SummaryReading[][] = [];
  for (const part of parts) {
    const group = groups.at(-1);
    const fits = group !== undefined && (group.length < 2 || textOf([...group, part]).length <= maxChars);
    if (fits) group.push(part);
    else groups.push([part]);
  }
  const reduced = await inOrder({
    items: groups,
    task: (group) => {
      const [single] = group;
      return group.length === 1 && single !== undefined
        ? Promise.resolve(single)
        : readSummary(calls, summaryReducePrompt, head + textOf(group));
    },
  });
  return reduce(calls, reduced, head);
}

function textOf(parts: readonly SummaryReading[]): string {
  return parts
    .map((part, index) => `Part ${index + 1}: ${part.title}\n${part.bullets.map((bullet) => `- ${bullet}`).join('\n')}`)
    .join('\n\n');
}

/** Title and bullets are those of the whole; what was found in the parts counts for the whole as well, each part in turn. */
function artifactOf(
  { episode, transcript }: TextEngineInput,
  names: readonly SpeakerName[],
  { whole, parts }: { readonly whole: SummaryReading; readonly parts: readonly SummaryReading[] },
): Summarised['artifact'] {
  const inTurn = <T>(listOf: (part: SummaryReading) => readonly T[]): T[] => interleave(parts.map(listOf));
  const quotes = inTurn((part) => part.key_quotes).map((quote) => locateQuote(transcript, quote));
  const found = [
    ...new Map(quotes.filter((quote) => quote !== undefined).map((quote) => [quote.charStart, quote])).values(),
  ];
  const entities = new Map(inTurn((part) => part.entities).map((one) => [one.name.toLowerCase(), one]));
  const timestamps = inTurn((part) => part.timestamps).flatMap(({ time, label }) => {
    const atSec = secOfClock(time);
    return atSec === undefined || atSec > transcript.durationSec || label.trim() === ''
      ? []
      : [{ atSec, label: label.trim() }];
  });
  return {
    schemaVersion: '1.0',
    method: 'model',
    episodeId: episode.episodeId,
    title: whole.title || episode.title.trim() || episode.episodeId,
    bullets: whole.bullets,
    keyQuotes: found.slice(0, caps.keyQuotes).map((quote) => keyQuoteOf(quote, names)),
    entities: [...entities.values()].filter(({ name }) => name.length <= caps.nameChars).slice(0, caps.entities),
    timestamps: timestamps.slice(0, caps.timestamps).sort((a, b) => a.atSec - b.atSec),
  };
}
