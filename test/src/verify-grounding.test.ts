import { locateQuote } from '../../src/grounding.js';
import { buildGiArtifact, type GiArtifact } from '../../src/insights.js';
import { keyQuoteOf } from '../../src/summary.js';
import { verifyEdges, verifyGrounding, verifyKeyQuotes } from '../../src/verify-grounding.js';
import { episodeOf, talk } from '../support/spoken.js';

const quote = locateQuote(talk, 'Speed comes from braking earlier and smoother');
const artifact = buildGiArtifact({
  episode: episodeOf(),
  transcript: talk,
  insights: [{ text: 'Brake early.', type: 'claim', quotes: quote === undefined ? [] : [quote] }],
  speakers: [],
  modelVersion: 'm',
  promptVersion: 'p',
});

describe('verifyGrounding', () => {
  it('finds nothing wrong with an artifact that is grounded in its transcript', () => {
    expect(verifyGrounding(artifact, talk)).toEqual([]);
  });

  it('names a quote that is not what was said', () => {
    expect(verifyGrounding(artifact, { ...talk, segments: talk.segments.slice(1) })).toEqual([
      expect.stringMatching(/^quote:e02:\d+-\d+ is not the transcript at \d+\.\.\d+$/),
    ]);
  });

  it('names an insight that says it is grounded and has no supporting quote', () => {
    const unsupported: GiArtifact = {
      ...artifact,
      edges: artifact.edges.filter((edge) => edge.type !== 'SUPPORTED_BY'),
    };

    expect(verifyGrounding(unsupported, talk)).toEqual([expect.stringContaining('insight:e02:1 says grounded: true')]);
  });

  it('names edges that join nothing', () => {
    const dangling: GiArtifact = { ...artifact, nodes: artifact.nodes.filter((node) => node.type !== 'Podcast') };

    expect(verifyGrounding(dangling, talk)).toEqual(['HAS_EPISODE joins podcast:singletrack, which is no node']);
  });

  it('names a quote that is said at another time', () => {
    const late = {
      ...talk,
      segments: talk.segments.map((one) => ({ ...one, startSec: one.startSec + 5, endSec: one.endSec + 5 })),
    };

    expect(verifyGrounding(artifact, late)).toEqual([expect.stringMatching(/^quote:e02:\d+-\d+ is not said at /)]);
  });
});

describe('verifyKeyQuotes', () => {
  const keyQuotes = quote === undefined ? [] : [keyQuoteOf(quote, [])];

  it('finds nothing wrong with quotes that were said', () => {
    expect(keyQuotes).toHaveLength(1);
    expect(verifyKeyQuotes({ keyQuotes }, talk)).toEqual([]);
  });

  it('names a quote that is not what was said at its place', () => {
    const moved = keyQuotes.map((one) => ({ ...one, charStart: one.charStart + 1 }));

    expect(verifyKeyQuotes({ keyQuotes: moved }, talk)).toEqual([
      expect.stringMatching(/^key quote 1 is not the transcript at /),
    ]);
  });
});

describe('verifyEdges', () => {
  it('names two nodes of one id', () => {
    expect(verifyEdges({ nodes: [...artifact.nodes, ...artifact.nodes.slice(0, 1)], edges: artifact.edges })).toEqual([
      'Two nodes have the same id',
    ]);
  });
});
