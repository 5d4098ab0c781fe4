import * as layout from '../../src/corpus-layout.js';

describe('corpus layout', () => {
  it('keeps its own files below .holdfast and what people read outside of it', () => {
    const sha256 = 'ab'.repeat(32);

    expect(layout.blobPath(sha256)).toBe(`.holdfast/blobs/ab/${sha256}`);
    expect(layout.audioPath(sha256, 'mp3')).toBe(`.holdfast/audio/ab/${sha256}.mp3`);
    expect(layout.episodeDir({ feedId: 'show-1', episodeId: 'e1' })).toBe('show-1/e1');
    expect(layout.batchRecordPath('b1')).toBe('batches/b1.json');
  });
});
