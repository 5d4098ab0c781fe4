import type { ArtifactName } from '../../src/artifact.js';
import type { Episode } from '../../src/episode.js';
import { locateQuote } from '../../src/grounding.js';
import { buildGiArtifact } from '../../src/insights.js';
import { buildKgArtifact, metadataFacts } from '../../src/knowledge-graph.js';
import type { SummaryArtifact } from '../../src/summary.js';
import { formatPodcastTranscript, formatRttm } from '../../src/transcript-formats.js';
import type { Transcript } from '../../src/transcript.js';

/** A valid text of every published file of an episode in which somebody says `text`. */
export function artifactTexts(episode: Episode, text: string): Record<ArtifactName, string> {
  const transcript: Transcript = {
    durationSec: 2,
    segments: [{ startSec: 0, endSec: 2, text, speaker: 'SPEAKER_00' }],
  };
  return {
    'transcript.json': formatPodcastTranscript(transcript),
    'transcript.vtt': `WEBVTT\n\n00:00.000 --> 00:02.000\n${text}\n`,
    'transcript.srt': `1\n00:00:00,000 --> 00:00:02,000\n${text}\n`,
    'diarization.rttm': formatRttm(episode.episodeId, [{ startSec: 0, endSec: 2, speaker: 'SPEAKER_00' }]),
    'summary.json': JSON.stringify(summaryOf(episode, text)),
    'insights.gi.json': JSON.stringify(insightsOf(episode, transcript, text)),
    'graph.kg.json': JSON.stringify(graphOf(episode)),
  };
}

function summaryOf({ episodeId, title }: Episode, text: string): SummaryArtifact {
  const lists = { keyQuotes: [], entities: [], timestamps: [] };
  return { schemaVersion: '1.0', method: 'model', episodeId, title, bullets: [text], model: 'm', ...lists };
}

function insightsOf(episode: Episode, transcript: Transcript, text: string): unknown {
  const quote = locateQuote(transcript, text);
  const insights = [{ text, type: 'claim' as const, quotes: quote === undefined ? [] : [quote] }];
  return buildGiArtifact({ episode, transcript, insights, speakers: [], modelVersion: 'm', promptVersion: '1' });
}

function graphOf(episode: Episode): unknown {
  const extractedAt = '2026-01-01T00:00:00.000Z';
  const facts = metadataFacts(episode, []);
  return buildKgArtifact({ episode, durationSec: 2, facts, modelVersion: 'metadata_only', extractedAt });
}
