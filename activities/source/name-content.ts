/**
 * What a text is, for a message that must not show it: `an HTML page`, `JSON`, ... The words follow "it is".
 * Only its first 2,000 characters are looked at.
 */
export function nameContent(text: string): string {
  const head = text.slice(0, 2000).replace(/^[\s\uFEFF]+/, '');
  if (head === '') return 'empty';
  if (/^(<!doctype html|<html|<head|<body)/i.test(head) || /<html[\s>]/i.test(head)) return 'an HTML page';
  if (/<rss[\s>]/i.test(head)) return 'an RSS feed';
  if (/<feed[\s>]/i.test(head)) return 'an Atom feed';
  if (head.startsWith('<?xml') || /^<[a-z]/i.test(head)) return 'XML of another kind';
  if (/^[[{]/.test(head)) return 'JSON';
  return head.includes('\0') ? 'binary data' : 'plain text';
}
