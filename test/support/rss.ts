/** One item of a feed; what is absent is not written. */
export interface RssItem {
  title?: string;
  guid?: string;
  url?: string;
  more?: string;
}

/** An RSS feed as text; `channel` is the XML before the items. */
export function rss(
  items: readonly RssItem[],
  channel = '<title>My Show</title><link>http://show.example/</link>',
): string {
  const xml = items.map(({ title, guid, url, more }) =>
    [
      '<item>',
      title === undefined ? '' : `<title>${title}</title>`,
      guid === undefined ? '' : `<guid>${guid}</guid>`,
      url === undefined ? '' : `<enclosure url="${url}" type="audio/mpeg" length="1"/>`,
      more ?? '',
      '</item>',
    ].join(''),
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel>${channel}${xml.join('')}</channel></rss>`;
}
