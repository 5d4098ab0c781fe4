import { parseSync } from 'subtitle';
import { formatSrt, formatWebVtt } from '../../../activities/text/captions.js';
import type { Transcript } from '../../../src/transcript.js';

const transcript: Transcript = {
  durationSec: 5,
  segments: [
    { startSec: 0, endSec: 2, text: ' Salt & <b>pepper</b> --> here\n\nand there. ', speaker: 'SPEAKER_00' },
    { startSec: 2, endSec: 2, text: 'Quick.' },
    { startSec: 3, endSec: 5, text: '  ' },
  ],
};

describe('formatWebVtt', () => {
  it('writes WebVTT with voice tags and everything escaped that would be read as mark-up', () => {
    expect(formatWebVtt(transcript)).toBe(
      'WEBVTT\n\n1\n00:00:00.000 --> 00:00:02.000\n' +
        '<v SPEAKER_00>Salt &amp; &lt;b&gt;pepper&lt;/b&gt; --&gt; here and there.\n' +
        '\n2\n00:00:02.000 --> 00:00:02.001\nQuick.\n',
    );
  });

  it('is read by another parser with as many cues as there are spoken segments', () => {
    const cues = parseSync(formatWebVtt(transcript)).filter((node) => node.type === 'cue');

    expect(cues).toHaveLength(2);
  });
});

describe('formatSrt', () => {
  it('writes SRT with the speaker in front and no arrow in a text', () => {
    expect(formatSrt(transcript)).toBe(
      '1\n00:00:00,000 --> 00:00:02,000\nSPEAKER_00: Salt & <b>pepper</b> -> here and there.\n' +
        '\n2\n00:00:02,000 --> 00:00:02,001\nQuick.\n',
    );
  });
});
