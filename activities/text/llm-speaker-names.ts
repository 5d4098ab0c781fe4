import { locateQuote, normaliseSpace, transcriptText, utterancesOf } from '../../src/grounding.js';
import { labelledChunks } from '../../src/labelled-transcript.js';
import { resolveSpeakerNames, showNotesOf, type SpeakerName } from '../../src/speaker-names.js';
import { parseAnswer } from '../../src/structured-answers/answer-shape.js';
import { speakerNamesShape, type SpeakerNamesAnswer } from '../../src/structured-answers/speaker-names.js';
import type { TextEngineInput } from './engine.js';
import type { ModelCalls } from './model-calls.js';
import { speakerNamesPrompt } from './prompts/speaker-names.js';

const maxOutputTokens = 600;
const excerptChars = 6000;
/** A voice that says less than this share is an advert or a clip, and not worth a call. */
const worthwhileShare = 0.05;

/**
 * Names for voices: by rule, and where a voice that says something stays unnamed, by one question to the model. Its
 * proposals count only when the words that it gives as evidence were said, or stand in the show notes, and hold the
 * name; what was said counts first. Throws `InvalidAnswerError` after the re-roll.
 */
export async function speakerNamesByModel(calls: ModelCalls, input: TextEngineInput): Promise<SpeakerName[]> {
  const known = resolveSpeakerNames(input.transcript, input.episode);
  const unnamed = unnamedVoices(input, known);
  if (unnamed.length === 0) return known;
  const answer = await calls.ask({
    shape: speakerNamesShape,
    system: speakerNamesPrompt,
    user: questionOf(calls, input, known),
    maxOutputTokens,
    read: (text) => parseAnswer(speakerNamesShape, text),
  });
  const supported = answer.speakers.flatMap((proposal): SpeakerName[] => {
    const source = unnamed.includes(proposal.speaker) ? supportOf(proposal, input) : undefined;
    const { speaker, name, role } = proposal;
    return source === undefined ? [] : [{ speaker, name: normaliseSpace(name), role, source }];
  });
  const heardFirst = (['audio', 'show_notes'] as const).flatMap((source) =>
    supported.filter((one) => one.source === source),
  );
  return heardFirst.reduce<SpeakerName[]>((names, one) => {
    const isTaken = names.some(({ speaker, name }) => speaker === one.speaker || name === one.name);
    return isTaken ? names : [...names, one];
  }, known);
}

function unnamedVoices({ transcript }: TextEngineInput, known: readonly SpeakerName[]): string[] {
  const chars = new Map<string, number>();
  for (const { speaker, text } of utterancesOf(transcript)) {
    if (speaker !== undefined) chars.set(speaker, (chars.get(speaker) ?? 0) + text.length);
  }
  const min = transcriptText(transcript).length * worthwhileShare;
  return [...chars]
    .filter(([speaker, count]) => count >= min && !known.some((one) => one.speaker === speaker))
    .map(([speaker]) => speaker);
}

/** Names are said at the start and at the end. */
function questionOf(
  calls: ModelCalls,
  { episode, transcript }: TextEngineInput,
  known: readonly SpeakerName[],
): string {
  const notes = showNotesOf(episode).slice(0, excerptChars / 2);
  const room = calls.userChars(speakerNamesPrompt, maxOutputTokens, transcriptText(transcript)) - notes.length - 100;
  const chunks = labelledChunks(transcript, known, Math.max(200, Math.floor(Math.min(excerptChars, room) / 2)));
  const [start = '', ...others] = chunks;
  const end = others.at(-1);
  return `Show notes:\n${notes}\n\nTranscript:\n${start}${end === undefined ? '' : `\n\n[...]\n\n${end}`}`;
}

function supportOf(
  { name, evidence }: SpeakerNamesAnswer['speakers'][number],
  { episode, transcript }: TextEngineInput,
): SpeakerName['source'] | undefined {
  const givenName = normaliseSpace(name).split(' ')[0]?.toLowerCase() ?? '';
  const words = normaliseSpace(evidence).toLowerCase();
  if (!/^\p{L}{2}/u.test(givenName) || /^speaker/.test(givenName) || !words.includes(givenName)) return undefined;
  if (locateQuote(transcript, evidence) !== undefined) return 'audio';
  return normaliseSpace(showNotesOf(episode)).toLowerCase().includes(words) ? 'show_notes' : undefined;
}
