import { findOption } from '../../src/model-registry.js';
import { textFiguresOf } from '../../src/text-figures.js';

describe('textFiguresOf', () => {
  it.each([
    ['provider_chunked_gated_v25', { maxInsights: 12, chunkChars: 30_000, dedupeThreshold: 0.72, valueGateMinTier: 3 }],
    ['provider_n10_15', { maxTopics: 10, maxEntities: 15 }],
  ])("reads the figures of the registry's %s", (optionId, figures) => {
    const { settings = {} } = findOption(optionId) ?? {};
    expect(textFiguresOf({ ...settings })).toEqual(figures);
  });

  it('leaves out what is no figure of these stages', () => {
    expect(textFiguresOf({ qaScoreMin: 0.3, maxTopics: 4 })).toEqual({ maxTopics: 4 });
    expect(textFiguresOf(undefined)).toEqual({});
  });
});
