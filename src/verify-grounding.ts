import { normaliseSpace, quoteAt, transcriptText, type LocatedQuote } from './grounding.js';
import type { GiArtifact } from './insights.js';
import type { KgArtifact } from './knowledge-graph.js';
import type { SummaryArtifact } from './summary.js';
import type { Transcript } from './transcript.js';

/** Times are interpolated, and published in milliseconds. */
const timeSlackSec = 1;

/**
 * The grounding contract, checked (for `holdfast verify`): every quote equals the transcript at its offsets, white
 * space normalised, and has the times of these words; an insight says `grounded` exactly when a quote supports it;
 * edges join nodes that exist; ids are unique. Gives one sentence for each violation, without any of the transcript's
 * text; none: the contract holds.
 */
export function verifyGrounding(artifact: GiArtifact, transcript: Transcript): string[] {
  const quoteIds = new Set(artifact.nodes.filter((node) => node.type === 'Quote').map((node) => node.id));
  const supports = artifact.edges.filter((edge) => edge.type === 'SUPPORTED_BY' && quoteIds.has(edge.to));
  const supported = new Set(supports.map((edge) => edge.from));
  const findings = artifact.nodes.flatMap((node) => {
    if (node.type === 'Quote') {
      const { text, char_start, char_end, timestamp_start_ms, timestamp_end_ms } = node.properties;
      const times = { startSec: timestamp_start_ms / 1000, endSec: timestamp_end_ms / 1000 };
      return quoteFaults(node.id, { text, charStart: char_start, charEnd: char_end, ...times }, transcript);
    }
    if (node.type !== 'Insight' || node.properties.grounded === supported.has(node.id)) return [];
    return [`${node.id} says grounded: ${node.properties.grounded}, its quotes say the opposite`];
  });
  return [...findings, ...verifyEdges(artifact)];
}

/** The same of a summary's key quotes. */
export function verifyKeyQuotes({ keyQuotes }: Pick<SummaryArtifact, 'keyQuotes'>, transcript: Transcript): string[] {
  return keyQuotes.flatMap((quote, index) => quoteFaults(`key quote ${index + 1}`, quote, transcript));
}

/** Of a graph: two nodes of one id, and edges that join what is no node. */
export function verifyEdges({ nodes, edges }: Pick<GiArtifact | KgArtifact, 'nodes' | 'edges'>): string[] {
  const ids = new Set(nodes.map((node) => node.id));
  const twice = ids.size === nodes.length ? [] : ['Two nodes have the same id'];
  const dangling = edges.flatMap(({ type, from, to }) => {
    const missing = [from, to].filter((id) => !ids.has(id));
    return missing.length === 0 ? [] : [`${type} joins ${missing.join(' and ')}, which is no node`];
  });
  return [...twice, ...dangling];
}

function quoteFaults(name: string, quote: Omit<LocatedQuote, 'speaker'>, transcript: Transcript): string[] {
  const { charStart, charEnd, text } = quote;
  const whole = transcriptText(transcript);
  const spoken = normaliseSpace(whole.slice(charStart, charEnd));
  if (charEnd > whole.length || spoken === '' || spoken !== normaliseSpace(text)) {
    return [`${name} is not the transcript at ${charStart}..${charEnd}`];
  }
  const { startSec, endSec } = quoteAt(transcript, charStart, charEnd);
  const isThen = Math.abs(startSec - quote.startSec) <= timeSlackSec && Math.abs(endSec - quote.endSec) <= timeSlackSec;
  return isThen ? [] : [`${name} is not said at ${quote.startSec} to ${quote.endSec} s`];
}
