import fc from 'fast-check';
import { locateQuote, normaliseSpace, quoteAt, transcriptText, utterancesOf } from '../../src/grounding.js';
import { buildGiArtifact } from '../../src/insights.js';
import { formatPodcastTranscript, parsePodcastTranscript } from '../../src/transcript-formats.js';
import type { Transcript } from '../../src/transcript.js';
import { verifyGrounding } from '../../src/verify-grounding.js';
import { episodeOf } from '../support/spoken.js';

const transcript: Transcript = {
  durationSec: 30,
  segments: [
    { startSec: 0, endSec: 10, text: ' It’s the  boring risk ', speaker: 'SPEAKER_00' },
    { startSec: 10, endSec: 11, text: '   ' },
    { startSec: 11, endSec: 20, text: 'you didn’t name, honestly.', speaker: 'SPEAKER_00' },
    { startSec: 20, endSec: 30, text: 'Partly so.', speaker: 'SPEAKER_01' },
  ],
};

describe('transcriptText', () => {
  it('is the same for the published form as for our own', () => {
    expect(transcriptText(parsePodcastTranscript(formatPodcastTranscript(transcript)))).toBe(
      transcriptText(transcript),
    );
  });
});

describe('utterancesOf', () => {
  it('joins consecutive segments of one speaker, at the offsets of the whole text', () => {
    const utterances = utterancesOf(transcript);

    expect(utterances.map((one) => one.text)).toEqual([
      'It’s the boring risk you didn’t name, honestly.',
      'Partly so.',
    ]);
    for (const { charStart, charEnd, text } of utterances) {
      expect(normaliseSpace(transcriptText(transcript).slice(charStart, charEnd))).toBe(text);
    }
  });
});

describe('locateQuote', () => {
  it('finds a quote across segments, with times inside them and the speaker', () => {
    const quote = locateQuote(transcript, 'the boring risk you   didn’t name');

    expect(quote).toMatchObject({
      text: 'the boring risk you didn’t name',
      charStart: 5,
      charEnd: 36,
      speaker: 'SPEAKER_00',
    });
    expect(quote?.startSec).toBeCloseTo(2.5);
    expect(quote?.endSec).toBeGreaterThan(11);
    expect(quote?.endSec).toBeLessThan(20);
  });

  it('gives the wording of the transcript where the proposal differs in case and kinds of quotation marks', () => {
    expect(locateQuote(transcript, `"it's THE boring risk…"`)?.text).toBe('It’s the boring risk');
  });

  it('finds nothing that was not said, and no parts of words', () => {
    expect(locateQuote(transcript, 'the exciting risk')).toBeUndefined();
    expect(locateQuote(transcript, 'art')).toBeUndefined();
    expect(locateQuote(transcript, ' "" ')).toBeUndefined();
  });

  const saying = (...texts: string[]): Transcript => ({
    durationSec: 10,
    segments: texts.map((text, index) => ({ startSec: index, endSec: index + 1, text, speaker: `SPEAKER_0${index}` })),
  });

  it.each<[string, string, string, string]>([
    [
      'another Unicode form',
      'We met at the cafe\u0301 in Zu\u0308rich.',
      'at the café in Zürich',
      'at the cafe\u0301 in Zu\u0308rich',
    ],
    [
      'curly quotation marks inside',
      'He said “never again” and left.',
      'He said "never again" and left',
      'He said “never again” and left',
    ],
    ['three dots for an ellipsis', 'Well… I think so, yes.', 'Well... I think so', 'Well… I think so'],
    ['other commas and dashes', 'It was, in a word - late.', 'It was in a word—late.', 'It was, in a word - late.'],
    ['no apostrophes', 'That’s what it’s about.', 'Thats what its about', 'That’s what it’s about'],
    ['invisible characters', 'one\u200B two soft\u00ADly', 'one two softly', 'one\u200B two soft\u00ADly'],
    ['a letter whose small form is longer', 'İstanbul is where WE began.', 'is where we began', 'is where WE began'],
    [
      'letters beyond the first plane',
      'The 𝒜lpha model and 😀 won.',
      'the 𝒜lpha model and won',
      'The 𝒜lpha model and 😀 won',
    ],
    ['half of a character in front', 'so 😀 then', '\uDE00 then', 'then'],
    ['no spaces at all', '今日は山道の水について話します。', '山道の水について', '山道の水について'],
    ['vowel signs', 'यह हिन्दी में है।', 'हिन्दी में है', 'हिन्दी में है'],
    ['a line break between two segments', 'One thing\nat a time.', 'thing at a time', 'thing at a time'],
  ])('finds the words of the transcript where the proposal has %s', (...[, said, asked, found]) => {
    expect(locateQuote(saying(...said.split('\n')), asked)?.text).toBe(found);
  });

  it.each([
    ['stands for words with an ellipsis', 'Speed comes from braking, not from risks.', 'Speed comes … not from risks'],
    ['ends in the middle of a letter and its mark', 'a cafe\u0301 there', 'a cafe'],
    ['ends in the middle of a word with vowel signs', 'यह हिन्दी में', 'यह हिन'],
    ['differs in a voiced syllable', 'かきをたべる', 'がきをたべる'],
    ['is punctuation', 'What? Yes!', '?!'],
  ])('finds nothing where the proposal %s', (_, said, asked) => {
    expect(locateQuote(saying(said), asked)).toBeUndefined();
  });

  it('counts offsets in UTF-16 code units, as verify does', () => {
    const emoji = saying('😀😀 first.', 'Then 😀 the words that count.');
    const quote = locateQuote(emoji, 'the words that count');

    expect(quote).toMatchObject({ charStart: 20, speaker: 'SPEAKER_01' });
    const insights = [{ text: 'x', type: 'claim' as const, quotes: quote === undefined ? [] : [quote] }];
    const facts = { episode: episodeOf(), transcript: emoji, speakers: [], modelVersion: 'm', promptVersion: 'p' };
    expect(verifyGrounding(buildGiArtifact({ ...facts, insights }), emoji)).toEqual([]);
  });

  it('finds every run of words of a transcript again, in any case and punctuation', () => {
    const words = fc.array(fc.stringMatching(/^[a-zäé]{1,6}$/), { minLength: 1, maxLength: 12 });
    const mark = fc.constantFrom(' ', ', ', ' – ', '... ', '\n');

    fc.assert(
      fc.property(
        words,
        fc.tuple(mark, mark),
        fc.tuple(fc.nat(), fc.nat()),
        (said, [between, proposed], [from, length]) => {
          const start = from % said.length;
          const asked = said.slice(start, start + 1 + (length % said.length));
          const quote = locateQuote(saying(...said.join(between).split('\n')), asked.join(proposed).toUpperCase());

          expect(quote?.text.toLowerCase().match(/[a-zäé]+/g)).toEqual(asked);
        },
      ),
    );
  });

  it('equals the transcript at its offsets, whatever is asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }), (texts, asked) => {
        const any = { durationSec: 1, segments: texts.map((text) => ({ startSec: 0, endSec: 1, text })) };
        const quote = locateQuote(any, asked);
        const spoken = quote && normaliseSpace(transcriptText(any).slice(quote.charStart, quote.charEnd));

        expect(spoken).toBe(quote?.text);
      }),
    );
  });
});

describe('quoteAt', () => {
  it('gives the quote to whoever says most of it', () => {
    const { length } = transcriptText(transcript);

    expect(quoteAt(transcript, length - 14, length).speaker).toBe('SPEAKER_01');
  });
});
