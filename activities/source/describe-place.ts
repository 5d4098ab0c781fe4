import path from 'node:path';

/**
 * A URL or path as a message may show it. Of a URL only scheme, host and a last segment that is a file's name: private
 * feeds carry the subscriber's token in the query, in the path, or as user name and password.
 */
export function describePlace(place: string): string {
  const url = URL.canParse(place) ? new URL(place) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) return place;
  const last = path.posix.basename(url.pathname);
  const shown = /^[\w.-]{1,60}\.[a-z0-9]{2,4}$/i.test(last) ? last : '';
  const hidden = url.pathname === `/${shown}` ? '/' : '/…/';
  return `${url.protocol}//${url.host}${hidden}${shown}`;
}
