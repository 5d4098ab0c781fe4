import { Readable } from 'node:stream';
import { parseAnswer, readAnswer } from '../../../activities/providers/json-answer.js';

describe('parseAnswer', () => {
  it.each([
    ['{"a":1}', 'json'],
    ['{"start": NaN, "end": -Infinity}', 'nan'],
    ['\uFEFF{"text": "behind a byte order mark"}', 'json'],
    ['{"text": "NaN said Infinity"}', 'json'],
    ['{"text": "NaN", "cut', 'none'],
    ['<html>NaN</html>', 'none'],
    ['', 'none'],
  ])('takes %s for %s', (text, kind) => {
    expect(parseAnswer(text).kind).toBe(kind);
  });
});

describe('parseAnswer of megabytes', () => {
  it('takes no time to speak of for a string of escaped quotes that does not end', () => {
    expect(parseAnswer(`{"content":"${'\\"'.repeat(2_000_000)}`).kind).toBe('none');
  });
});

describe('readAnswer', () => {
  it('stops reading an answer that is larger than any can be', async () => {
    const mebibyte = Buffer.alloc(1024 * 1024, 'x');
    let sent = 0;
    const endless = new Readable({
      read() {
        sent += 1;
        this.push(mebibyte);
      },
    });
    expect(await readAnswer(endless)).toEqual({ kind: 'tooLarge' });
    expect(sent).toBeLessThan(80);
    expect(endless.destroyed).toBe(true);
  });
});
