import type { Episode } from '../../src/episode.js';
import { quoteAt } from '../../src/grounding.js';
import { buildGiArtifact, insightCap, type GiArtifact } from '../../src/insights.js';
import { buildKgArtifact, kgCaps, type KgArtifact, type KgFacts } from '../../src/knowledge-graph.js';
import { resolveSpeakerNames } from '../../src/speaker-names.js';
import { InvalidAnswerError } from '../../src/structured-answers/invalid-answer.js';
import type { TextFigures } from '../../src/text-figures.js';
import { keyQuoteOf, type SummaryArtifact } from '../../src/summary.js';
import type { Transcript } from '../../src/transcript.js';
import { methodVersions, type TextEngine, type TextEngineInput, type TextResult } from './engine.js';
import { findEntities, type Entities } from './entities.js';
import { rankedSentences, salientSentences, type Sentence } from './sentences.js';

/** What the extractive artifacts name as their model. */
const extractiveModel = 'extractive:lexrank';
const keyQuoteCount = 3;
const labelChars = 80;
const maxRelations = 20;

interface ExtractiveOptions {
  /** ISO 8601; stamped into the graph, whose schema wants the time. */
  readonly nowIso: string;
  /** Only its caps mean anything here. */
  readonly figures?: TextFigures;
}

/**
 * Text stages without a language model: sentences of the transcript ranked by LexRank, names by word list, relations by
 * co-occurrence. Deterministic and grounded by construction; every artifact says `extractive`. Throws
 * `InvalidAnswerError` for a transcript without a single sentence.
 */
export function extractiveTextEngine({ nowIso, figures = {} }: ExtractiveOptions): TextEngine {
  return {
    summarize: (input) => computed(() => summaryOf(input)),
    insights: (input) => computed(() => insightsOf(input, figures)),
    knowledgeGraph: (input) => computed(() => graphOf(input, { nowIso, figures })),
  };
}

function computed<T>(compute: () => T): Promise<TextResult<T>> {
  return new Promise((resolve) => {
    resolve({
      artifact: compute(),
      calls: 0,
      modelReported: extractiveModel,
      methodVersion: methodVersions.extractive,
      method: 'extractive',
    });
  });
}

function summaryOf({ episode, transcript }: TextEngineInput): SummaryArtifact {
  const sentences = sentencesOf(transcript);
  const chosen = salientSentences({ sentences, count: Math.min(10, 5 + Math.floor(transcript.durationSec / 900)) });
  const names = resolveSpeakerNames(transcript, episode);
  const { people, organizations } = entitiesOf(episode, transcript, sentences);
  const quote = (sentence: Sentence) => quoteAt(transcript, sentence.charStart, sentence.charEnd);
  return {
    schemaVersion: '1.0',
    method: 'extractive',
    episodeId: episode.episodeId,
    title: episode.title.trim() === '' ? episode.episodeId : episode.title,
    bullets: chosen.map((sentence) => sentence.text),
    keyQuotes: salientSentences({ sentences: chosen, count: keyQuoteCount }).map((sentence) =>
      keyQuoteOf(quote(sentence), names),
    ),
    entities: [
      ...people.map((name) => ({ name, kind: 'person' as const })),
      ...organizations.map((name) => ({ name, kind: 'organization' as const })),
    ].slice(0, kgCaps.entities),
    timestamps: chosen.map((sentence) => ({ atSec: quote(sentence).startSec, label: shortened(sentence.text) })),
    model: extractiveModel,
  };
}

/** Salient sentences, each its own insight and its own quote: at most a third of what is said, best first. */
function insightsOf({ episode, transcript }: TextEngineInput, { maxInsights }: TextFigures): GiArtifact {
  const sentences = sentencesOf(transcript);
  const telling = sentences.filter((sentence) => sentence.telling).length;
  const cap = maxInsights ?? insightCap(transcript.durationSec);
  const count = Math.min(cap, Math.max(1, Math.ceil(telling / 3)));
  const best = salientSentences({ sentences, count }).sort((a, b) => b.score - a.score || a.charStart - b.charStart);
  return buildGiArtifact({
    episode,
    transcript,
    insights: best.map((sentence) => ({
      text: sentence.text,
      type: 'unknown',
      quotes: [quoteAt(transcript, sentence.charStart, sentence.charEnd)],
    })),
    speakers: resolveSpeakerNames(transcript, episode),
    modelVersion: extractiveModel,
    promptVersion: methodVersions.extractive,
  });
}

function graphOf(
  { episode, transcript }: TextEngineInput,
  { nowIso, figures }: Required<ExtractiveOptions>,
): KgArtifact {
  const { maxTopics = kgCaps.topics, maxEntities = kgCaps.entities } = figures;
  const sentences = sentencesOf(transcript);
  const speakers = resolveSpeakerNames(transcript, episode);
  const entities = entitiesOf(episode, transcript, sentences);
  const topics = entities.topics.slice(0, maxTopics);
  const names = [...entities.people, ...entities.organizations].slice(0, maxEntities);
  const mentioned = entities.people.map((name) => ({ name, role: 'mentioned' as const }));
  const facts: KgFacts = {
    people: [...speakers, ...mentioned],
    organizations: entities.organizations.map((name) => ({ name })),
    topics: topics.map((label) => ({ label })),
    relations: coOccurrences(sentences, [...names, ...topics]),
  };
  return buildKgArtifact({
    episode,
    durationSec: transcript.durationSec,
    facts,
    modelVersion: `provider:${extractiveModel}`,
    extractedAt: nowIso,
    caps: { topics: maxTopics, entities: maxEntities },
  });
}

function sentencesOf(transcript: Transcript): Sentence[] {
  const sentences = rankedSentences(transcript);
  if (sentences.length === 0) throw new InvalidAnswerError('local-extractive', 'empty_transcript');
  return sentences;
}

function entitiesOf(episode: Episode, transcript: Transcript, sentences: readonly Sentence[]): Entities {
  const people = resolveSpeakerNames(transcript, episode).map((one) => one.name);
  const telling = sentences.filter((sentence) => sentence.telling);
  const text = (telling.length > 0 ? telling : sentences).map((sentence) => sentence.text).join('\n');
  return findEntities({ text, people, show: episode.feedTitle });
}

/** Names and topics said in one sentence, the most frequent pairs first. */
function coOccurrences(sentences: readonly Sentence[], names: readonly string[]): KgFacts['relations'] {
  const pairs = new Map<string, { from: string; to: string; count: number }>();
  for (const sentence of sentences.filter(({ telling }) => telling)) {
    const text = sentence.text.toLowerCase();
    const said = names.filter((name) => text.includes(name.toLowerCase()));
    for (const [index, from] of said.entries()) {
      for (const to of said.slice(index + 1)) {
        const pair = pairs.get(`${from}\n${to}`) ?? { from, to, count: 0 };
        pairs.set(`${from}\n${to}`, { ...pair, count: pair.count + 1 });
      }
    }
  }
  const ranked = [...pairs.values()].sort((a, b) => b.count - a.count).slice(0, maxRelations);
  return ranked.map(({ from, to }) => ({ from, to, relation: 'said in the same sentence as' }));
}

function shortened(text: string): string {
  return text.length <= labelChars ? text : `${text.slice(0, labelChars - 1).trimEnd()}…`;
}
