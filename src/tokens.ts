/**
 * No tokeniser gets this many characters of prose into a token. The thriftiest that we counted with (o200k) has 4.6 of
 * English and German, 3.9 of Russian, 2.5 of Thai, and 1.3 of Chinese and Japanese.
 */
const mostCharsPerToken = { letters: 6, ideographs: 2.5 } as const;
/** Estimates that err on the safe side: cl100k, of the lavish kind, has 4.6 of English and about 1 of Chinese, Hindi and Thai. */
const safeCharsPerToken = 3.5;
const safeBytesPerToken = 2.5;

/** Tokens that a text has at the very least, whatever the tokeniser: who has read fewer has not read all of it. */
export function fewestTokens(text: string): number {
  const ideographs = text.match(/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/gu)?.length ?? 0;
  return ideographs / mostCharsPerToken.ideographs + (text.length - ideographs) / mostCharsPerToken.letters;
}

/** Tokens that a text may well have (`reference/providers.md`, token counting): beyond ASCII, bytes count, not letters. */
export function likelyTokens(text: string): number {
  const beyondAscii = text.match(/[^\p{ASCII}]/gu) ?? [];
  const bytes = beyondAscii.reduce((sum, character) => sum + utf8Bytes(character), 0);
  const units = beyondAscii.reduce((sum, character) => sum + character.length, 0);
  return (text.length - units) / safeCharsPerToken + bytes / safeBytesPerToken;
}

/** Characters of a text like this one that go into a token, erring on the safe side; 3.5 for plain English. */
export function charsPerTokenOf(text: string): number {
  return text === '' ? safeCharsPerToken : text.length / likelyTokens(text);
}

function utf8Bytes(character: string): number {
  if (character.length === 2) return 4;
  return character < '\u0800' ? 2 : 3;
}
