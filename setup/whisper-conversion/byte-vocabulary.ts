import fs from 'node:fs';
import path from 'node:path';

/**
 * GPT-2's byte-level vocabulary writes every byte as one printable character: printable Latin-1 stands for itself, the
 * others take characters from U+0100 on, in order.
 */
const byteOfCharacter = buildByteOfCharacter();

function buildByteOfCharacter(): ReadonlyMap<string, number> {
  const isPrintable = (byte: number): boolean =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  const map = new Map<string, number>();
  let substitutes = 0;
  for (let byte = 0; byte < 256; byte++) {
    map.set(String.fromCharCode(isPrintable(byte) ? byte : 256 + substitutes++), byte);
  }
  return map;
}

/** The bytes a vocabulary entry stands for; characters of no byte (special tokens) become `?`. */
export function tokenBytes(token: string): Buffer {
  return Buffer.from(Array.from(token, (character) => byteOfCharacter.get(character) ?? 0x3f));
}

/** The entries of a CTranslate2 model's vocabulary, by token id. @throws Error when the folder has none */
export function readVocabulary(modelDir: string): string[] {
  const json = path.join(modelDir, 'vocabulary.json');
  if (fs.existsSync(json)) {
    const parsed: unknown = JSON.parse(fs.readFileSync(json, 'utf8'));
    if (!Array.isArray(parsed)) throw new Error(`${json} is not a list of tokens`);
    return parsed.map(String);
  }
  return fs.readFileSync(path.join(modelDir, 'vocabulary.txt'), 'utf8').split('\n');
}

/** Entries of the tokenizer's own vocabulary, `<|endoftext|>` included; the special ones behind them whisper.cpp adds. */
export const textTokenCount = 50_257;
