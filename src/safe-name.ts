/** Names that Windows keeps for devices, whatever extension follows them. */
const deviceName = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/;

/**
 * True for a name that is one and the same file on every file system: lower case only (two names never differ by case
 * alone), at most 64 characters, no separator, no trailing dot, no Windows device name.
 */
export function isPlainName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name) && !name.endsWith('.') && !deviceName.test(name);
}

/**
 * Readable part of a file name: letters without their accents, digits and hyphens, at most `maxLength` characters
 * (default 48). Empty when nothing of the text is left (Chinese, emoji): the caller adds a digest, so that stays unique.
 */
export function slug(text: string, maxLength = 48): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '');
}

/** `name` itself where it is plain, else its readable part and 8 hex digits of its digest. `sha256` gives lower-case hex. */
export function safeName(name: string, sha256: (text: string) => string): string {
  return isPlainName(name) ? name : slugWithDigest(name, sha256(name).slice(0, 8));
}

/** `<slug>-<digest>`; the digest keeps apart what the slug makes equal. */
export function slugWithDigest(text: string, digest: string): string {
  return [slug(text), digest].filter((part) => part !== '').join('-');
}
