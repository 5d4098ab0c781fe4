import { TextDecoder } from 'node:util';

/**
 * A feed's bytes as text. What the bytes say wins over what the server says: byte order mark, then XML declaration,
 * then HTTP charset, then UTF-8. Never fails: a name nobody knows and bytes that are no text are read as well as they
 * can be, so that one bad character does not cost the whole feed.
 */
export function decodeFeed(bytes: Uint8Array, contentType: string | undefined): string {
  const encoding = markedEncoding(bytes) ?? declaredEncoding(bytes) ?? charsetOf(contentType);
  const decoder = decoderFor(encoding);
  if (decoder !== undefined) return decoder.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes); // says nothing and is not UTF-8: the old web's default
  }
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // No mark, but `<` in two bytes.
  if (first === 0x3c && second === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c) return 'utf-16be';
  return undefined;
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 256));
  const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1];
  // The declaration could be read as single bytes, so UTF-16 it is not, whatever it says.
  return declared !== undefined && /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}

function charsetOf(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:-]+)"?/i.exec(contentType ?? '')?.[1];
}

function decoderFor(encoding: string | undefined): TextDecoder | undefined {
  if (encoding === undefined) return undefined;
  try {
    return new TextDecoder(encoding);
  } catch {
    return undefined;
  }
}
