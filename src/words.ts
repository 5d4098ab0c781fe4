/** Letters of scripts that put no spaces between their words. */
const unspaced = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`;
const unspacedLetter = new RegExp(`^(?=[\\p{L}\\p{N}\\p{M}])[${unspaced}]`, 'u');
const unspacedLetters = new RegExp(`(?=[\\p{L}\\p{N}\\p{M}])[${unspaced}]`, 'gu');
const wordCharacter = /^[\p{L}\p{N}\p{M}]/u;
const apostropheOrInvisible = /^['‘’ʼ\p{Cf}]/u;

/** Words as they are counted in speech; in scripts that put no spaces between them, two letters count as one. */
export function spokenWordCount(text: string): number {
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  return Math.max(words, (text.match(unspacedLetters)?.length ?? 0) / 2);
}

/** True where a cut at `at` (UTF-16 code units) would divide a word, a letter from its mark, or one character. */
function isInsideWord(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  if (/^[\uDC00-\uDFFF]/.test(text[at] ?? '') && /^[\uD800-\uDBFF]/.test(text[at - 1] ?? '')) return true;
  const before = characterBefore(text, at);
  const after = text.slice(at, at + 2);
  if (/^\p{M}/u.test(after)) return true;
  const joins = wordCharacter.test(before) && wordCharacter.test(after);
  return joins && !unspacedLetter.test(before) && !unspacedLetter.test(after);
}

function characterBefore(text: string, at: number): string {
  const last = text.slice(Math.max(0, at - 2), at);
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(last) ? last : last.slice(-1);
}

/** A text as words are compared: what counts of it, and where in the text each piece of that stands. */
export interface FoldedText {
  readonly text: string;
  /** For each code unit of `text`: where its letter starts and ends in the original. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Case, Unicode form, punctuation, white space, apostrophes and invisible characters do not count: what is left are the
 * words, with single spaces between them, and none in scripts that write none.
 */
export function foldText(text: string): FoldedText {
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = '';
  const take = (piece: string, start: number, end: number): void => {
    folded += piece;
    for (let unit = 0; unit < piece.length; unit += 1) {
      starts.push(start);
      ends.push(end);
    }
  };
  let isGap = false;
  let isAfterUnspaced = true;
  for (const { 0: letter, index } of text.matchAll(/\P{M}\p{M}*|\p{M}+/gsu)) {
    for (const character of letter.normalize('NFKC').toLowerCase()) {
      if (apostropheOrInvisible.test(character)) continue;
      if (!wordCharacter.test(character)) {
        isGap = true;
        continue;
      }
      const isUnspaced = unspacedLetter.test(character);
      if (isGap && folded !== '' && !isUnspaced && !isAfterUnspaced) take(' ', index, index);
      take(character, index, index + letter.length);
      isGap = false;
      isAfterUnspaced = isUnspaced;
    }
  }
  return { text: folded, starts, ends };
}

/** Where `wanted` stands in `text` as whole words; -1 where it does not. */
export function indexOfWords(text: string, wanted: string): number {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!isInsideWord(text, at) && !isInsideWord(text, at + wanted.length)) return at;
  }
  return -1;
}
