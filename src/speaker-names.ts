import type { Episode } from './episode.js';
import { normaliseSpace, utterancesOf, type Utterance } from './grounding.js';
import type { Transcript } from './transcript.js';

/** Who a diarized voice is. */
export interface SpeakerName {
  /** `SPEAKER_nn`. */
  readonly speaker: string;
  readonly name: string;
  readonly role: 'host' | 'guest';
  /** Where the name comes from: what is said, or the feed's notes. */
  readonly source: 'audio' | 'show_notes';
}

/** One hint that a voice has a name. */
interface Vote {
  readonly speaker: string;
  readonly name: string;
  readonly weight: number;
}

const namePart = String.raw`\p{Lu}[\p{L}'’-]+`;
const nameSource = String.raw`(${namePart}(?: (?:van |von |de |der |da )*${namePart}){0,2})`;
const anyCase = (words: string): string => words.replace(/[a-z]/g, (c) => `[${c}${c.toUpperCase()}]`);
/** Words in any case in front of a name, whose capital is what makes it one. */
const pattern = (before: string, after = ''): RegExp => new RegExp(`${anyCase(before)}${nameSource}${after}`, 'gu');

/** The speaker names himself. */
const selfIntroductions = [
  pattern(`(?:my name is|my name's|my name’s) `),
  pattern(`(?:i am|i'm|i’m) `, '(?=[,.;!?]| and |$)'),
];
/** A host names whoever speaks next. */
const introductions = [
  pattern(
    `(?:i'm|i’m|i am|we're|we’re|we are) (?:joined (?:today )?by|(?:here )?with|(?:talking|speaking) (?:to|with)) `,
  ),
  pattern(`(?:my|our) guest(?: today| this week)? is `),
  pattern(`(?:(?:joining|with) (?:me|us)(?: today)? is|please welcome) `),
];
/** Said to whoever speaks next. */
const greeting = new RegExp(
  `${nameSource}, ${anyCase('(?:thanks|thank you|welcome|(?:good|great|nice|glad) to have)')}`,
  'gu',
);
/** Said to whoever spoke before, at the start of an answer. */
const reply = pattern(`(?:thanks|thank you|cheers|my pleasure)(?: so much| very much)?,? `, '(?=[.,!?]| ?[—–]|$)');
const replyChars = 120;
const hosting = new RegExp(anyCase(`(?:welcome(?: back)? to|today's episode|my guest|joined by)`), 'u');
/** Words that stand where a name would, and begin a sentence. */
const noName = /^(?:The|This|That|It|So|And|But|Yes|Yeah|Well|Not|Just|Really|Today|Here|Every\w+|You|We|Mr|Mrs|Dr)\b/;
/** Where somebody says that he is from; whole words, since Trish, Therese and Jonathan end like these. */
const peoples = new Set(
  'English British Scottish Irish Welsh Spanish Polish Danish Swedish Finnish Turkish Kurdish Jewish Chinese Japanese Portuguese Vietnamese Lebanese Dutch French Greek Swiss Czech American Canadian Mexican Brazilian Colombian European German Austrian Italian Belgian Norwegian Hungarian Romanian Ukrainian Russian Indian Korean Asian African Nigerian Kenyan Egyptian Iranian Israeli Australian'.split(
    ' ',
  ),
);

/**
 * Names for diarized voices, by rule: what is said in the audio first (self-introductions, "I'm with X", "X, thanks for
 * being here", "thanks, X"), the feed's notes second, and there only to complete a given name that was heard, or where
 * one host or one guest is left for one voice. A voice without support keeps its label and is not in the answer.
 */
export function resolveSpeakerNames(transcript: Transcript, episode: Episode): SpeakerName[] {
  const utterances = utterancesOf(transcript);
  const host = hostVoice(utterances);
  const heard = winners(utterances.flatMap((_, index) => votesOf(utterances, index, host)));
  const names = [...heard].map(([speaker, name]): SpeakerName => ({
    speaker,
    name: fullName(name, episode),
    role: speaker === host ? 'host' : 'guest',
    source: 'audio',
  }));
  return [...names, ...namesFromNotes({ episode, utterances, host, names })].sort((a, b) =>
    a.speaker < b.speaker ? -1 : 1,
  );
}

/** All that the feed says of an episode in words, as one text. */
export function showNotesOf(episode: Episode): string {
  const people = episode.people.map(({ name, role }) => (role === undefined ? name : `${name} (${role})`));
  return [episode.feedTitle, episode.title, people.join(', '), episode.description ?? '']
    .map(normaliseSpace)
    .join('\n');
}

function votesOf(utterances: readonly Utterance[], index: number, host: string | undefined): Vote[] {
  const utterance = utterances[index];
  if (utterance === undefined) return [];
  const { text, speaker } = utterance;
  const after = utterances[index + 1]?.speaker;
  const before = utterances[index - 1]?.speaker;
  return [
    { hints: selfIntroductions, text, speaker, weight: 3 },
    { hints: speaker === host ? introductions : [], text, speaker: after, weight: 2 },
    { hints: [greeting], text, speaker: after, weight: 2 },
    { hints: [reply], text: text.slice(0, replyChars), speaker: before, weight: 2 },
  ].flatMap(votesFrom);
}

function votesFrom(source: {
  hints: readonly RegExp[];
  text: string;
  speaker: string | undefined;
  weight: number;
}): Vote[] {
  const { hints, text, speaker, weight } = source;
  if (speaker === undefined) return [];
  return hints
    .flatMap((hint) => [...text.matchAll(hint)].map((match) => (match[1] ?? '').replace(/['’]s$/, '')))
    .filter((name) => name !== '' && !noName.test(name) && !peoples.has(name))
    .map((name) => ({ speaker, name, weight }));
}

/** Each voice's best supported name; of two voices with one name, the better supported has it. */
function winners(votes: readonly Vote[]): Map<string, string> {
  const ballots: Vote[] = [];
  for (const vote of votes) {
    const index = ballots.findIndex(
      (one) => one.speaker === vote.speaker && givenName(one.name) === givenName(vote.name),
    );
    const before = ballots[index];
    if (before === undefined) ballots.push(vote);
    else {
      const name = vote.name.length > before.name.length ? vote.name : before.name;
      ballots[index] = { ...vote, name, weight: before.weight + vote.weight };
    }
  }
  const names = new Map<string, string>();
  for (const { speaker, name } of ballots.sort((a, b) => b.weight - a.weight)) {
    const taken = [...names.values()].some((other) => givenName(other) === givenName(name));
    if (!taken && !names.has(speaker)) names.set(speaker, name);
  }
  return names;
}

/** The voice that first speaks as a host does; else the first voice. */
function hostVoice(utterances: readonly Utterance[]): string | undefined {
  return (utterances.find((utterance) => hosting.test(utterance.text)) ?? utterances[0])?.speaker;
}

function givenName(name: string): string {
  return name.split(' ')[0]?.toLowerCase() ?? '';
}

/** A given name that was heard alone, completed from the feed where exactly one such person is named there. */
function fullName(name: string, episode: Episode): string {
  if (name.includes(' ')) return name;
  const full = new Set(
    [
      ...showNotesOf(episode).matchAll(
        new RegExp(`(?<![\\p{L}\\p{N}])${name} (?:(?:van|von|de|der|da) )*${namePart}`, 'gu'),
      ),
    ].map((match) => match[0]),
  );
  return full.size === 1 ? ([...full][0] ?? name) : name;
}

/** The only host, or the only guest, that the feed names, where exactly one such voice is left without a name. */
function namesFromNotes(known: {
  readonly episode: Episode;
  readonly utterances: readonly Utterance[];
  readonly host: string | undefined;
  readonly names: readonly SpeakerName[];
}): SpeakerName[] {
  const { episode, utterances, host, names } = known;
  const voices = new Set(utterances.map((utterance) => utterance.speaker).filter((speaker) => speaker !== undefined));
  const unnamed = [...voices].filter((speaker) => !names.some((one) => one.speaker === speaker));
  return (['host', 'guest'] as const).flatMap((role) => {
    const left = unnamed.filter((speaker) => (speaker === host) === (role === 'host'));
    const listed = episode.people.filter(
      (person) =>
        person.role?.toLowerCase() === role && !names.some((one) => givenName(one.name) === givenName(person.name)),
    );
    const [speaker] = left;
    const [person] = listed;
    if (left.length !== 1 || listed.length !== 1 || speaker === undefined || person === undefined) return [];
    return [{ speaker, name: person.name, role, source: 'show_notes' as const }];
  });
}
