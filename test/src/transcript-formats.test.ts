import {
  formatPodcastTranscript,
  formatRttm,
  parsePodcastTranscript,
  parseRttm,
} from '../../src/transcript-formats.js';
import type { Transcript } from '../../src/transcript.js';

const transcript: Transcript = {
  durationSec: 9.5,
  segments: [
    { startSec: 0, endSec: 4.2504, text: 'Welcome & "hello" — ä.', speaker: 'SPEAKER_00' },
    { startSec: 4.25, endSec: 9.5, text: 'Nobody knows who says this.' },
  ],
};

describe('formatPodcastTranscript', () => {
  it('writes version, speaker, startTime, endTime and body', () => {
    expect(JSON.parse(formatPodcastTranscript(transcript))).toEqual({
      version: '1.0.0',
      segments: [
        { speaker: 'SPEAKER_00', startTime: 0, endTime: 4.25, body: 'Welcome & "hello" — ä.' },
        { startTime: 4.25, endTime: 9.5, body: 'Nobody knows who says this.' },
      ],
    });
  });

  it('is read back as it was written, to the millisecond', () => {
    const text = formatPodcastTranscript(transcript);

    expect(formatPodcastTranscript(parsePodcastTranscript(text))).toBe(text);
    expect(parsePodcastTranscript(text).durationSec).toBe(9.5);
  });
});

describe('parsePodcastTranscript', () => {
  it('refuses another version', () => {
    expect(() => parsePodcastTranscript('{"version":"2.0.0","segments":[]}')).toThrow(/1\.0\.0/);
  });
});

describe('formatRttm', () => {
  it('writes one line a turn, with white space in the file name replaced', () => {
    expect(formatRttm('my episode', [{ startSec: 1, endSec: 2.5, speaker: 'SPEAKER_00' }])).toBe(
      'SPEAKER my_episode 1 1.000 1.500 <NA> <NA> SPEAKER_00 <NA> <NA>\n',
    );
  });
});

describe('parseRttm', () => {
  it('reads what formatRttm writes', () => {
    const turns = [{ startSec: 1, endSec: 2.5, speaker: 'SPEAKER_01' }];

    expect(parseRttm(formatRttm('a', turns))).toEqual(turns);
  });

  it('names the line that is malformed', () => {
    expect(() => parseRttm('SPEAKER a 1 0.0 1.0 <NA> <NA> X <NA> <NA>\nSPEAKER a 1 x')).toThrow('RTTM line 2');
  });
});
