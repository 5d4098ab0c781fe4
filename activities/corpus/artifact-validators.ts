import type { z } from 'zod';
import type { ArtifactName } from '../../src/artifact.js';
import { giArtifactSchema } from '../../src/insights.js';
import { kgArtifactSchema } from '../../src/knowledge-graph.js';
import { summaryArtifactSchema } from '../../src/summary.js';
import { parsePodcastTranscript, parseRttm, podcastTranscriptSchema } from '../../src/transcript-formats.js';
import type { Transcript } from '../../src/transcript.js';
import { verifyEdges, verifyGrounding, verifyKeyQuotes } from '../../src/verify-grounding.js';

export interface ValidatedEpisode {
  readonly episodeId: string;
  /** Its published files, as text. */
  readonly files: ReadonlyMap<ArtifactName, string>;
}

/** Says what is wrong with a file, in sentences that follow its name and show none of its text; none: nothing is. */
export type ArtifactValidator = (content: string, episode: ValidatedEpisode) => readonly string[];

/** What each published file must satisfy. Captions are checked as far as players refuse them. */
export const artifactValidators: Readonly<Record<ArtifactName, ArtifactValidator>> = {
  'transcript.json': (content) => parsed(podcastTranscriptSchema, content).faults,
  'transcript.vtt': (content) => (/^\uFEFF?WEBVTT(\s|$)/.test(content) ? [] : ['does not begin with WEBVTT']),
  'transcript.srt': (content) => (content.trim() === '' || content.includes('-->') ? [] : ['has no time lines']),
  'diarization.rttm': rttmFaults,
  'summary.json': summaryFaults,
  'insights.gi.json': insightFaults,
  'graph.kg.json': (content, episode) => {
    const { value, faults } = parsed(kgArtifactSchema, content);
    const dangling = value === undefined ? [] : verifyEdges(value);
    return [
      ...faults,
      ...foreignFaults(value?.episode_id, episode),
      ...dangling.map((fault) => `is no graph: ${fault}`),
    ];
  },
};

function rttmFaults(content: string): string[] {
  try {
    parseRttm(content);
    return [];
  } catch {
    return ['is not RTTM'];
  }
}

/** The schema, the episode, and the quotes where the transcript can be read. */
function summaryFaults(content: string, episode: ValidatedEpisode): readonly string[] {
  const { value, faults } = parsed(summaryArtifactSchema, content);
  if (value === undefined) return faults;
  const transcript = transcriptOf(episode);
  const unsaid = transcript === undefined ? [] : verifyKeyQuotes(value, transcript);
  return [
    ...foreignFaults(value.episodeId, episode),
    ...unsaid.map((fault) => `breaks the grounding contract: ${fault}`),
  ];
}

/** The schema, the episode, and the grounding contract where the transcript can be read. */
function insightFaults(content: string, episode: ValidatedEpisode): readonly string[] {
  const { value, faults } = parsed(giArtifactSchema, content);
  if (value === undefined) return faults;
  const transcript = transcriptOf(episode);
  const ungrounded = transcript === undefined ? [] : verifyGrounding(value, transcript);
  return [
    ...foreignFaults(value.episode_id, episode),
    ...ungrounded.map((fault) => `breaks the grounding contract: ${fault}`),
  ];
}

/** Undefined where it is not there or damaged, which is told of it already. */
function transcriptOf({ files }: ValidatedEpisode): Transcript | undefined {
  const content = files.get('transcript.json');
  if (content === undefined || parsed(podcastTranscriptSchema, content).value === undefined) return undefined;
  return parsePodcastTranscript(content);
}

/** Two episodes with the same audio have the same transcript, but not the same title and date. */
function foreignFaults(episodeId: string | undefined, episode: ValidatedEpisode): string[] {
  if (episodeId === undefined || episodeId === episode.episodeId) return [];
  return [`is about another episode: ${episodeId}`];
}

/** Faults name places and kinds only: the values may be somebody's words. */
function parsed<T>(schema: z.ZodType<T>, content: string): { value?: T; faults: readonly string[] } {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    return { faults: ['is not JSON'] };
  }
  const { data, error } = schema.safeParse(json);
  if (error === undefined) return { value: data, faults: [] };
  const places = error.issues.slice(0, 3).map((issue) => `${issue.path.join('.') || 'the whole'} (${issue.code})`);
  return { faults: [`does not satisfy its schema at ${places.join(', ')}`] };
}
