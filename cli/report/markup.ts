/** Markup that is safe to put into a page: made by `markup`, and by nothing else. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | readonly Part[] | undefined;

/** Every value that is put in is escaped, unless it is markup itself: a feed's titles and a service's words are text. */
export function markup(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(literals.map((literal, index) => literal + textOf(parts[index])).join(''));
}

function textOf(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return escapeHtml(String(part));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** JSON that cannot end the script element it stands in. */
export function jsonForScript(value: unknown): Markup {
  const json = JSON.stringify(value);
  return new Markup(
    json.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

export interface Column {
  readonly title: string;
  /** Numbers stand right. */
  readonly numeric?: boolean;
}

/** A table with a caption for those who do not see the heading above it. */
export function tableOf(caption: string, columns: readonly Column[], rows: readonly (readonly Part[])[]): Markup {
  const classOf = (index: number): Markup => new Markup(columns[index]?.numeric === true ? ' class="number"' : '');
  const head = columns.map(({ title }, index) => markup`<th scope="col"${classOf(index)}>${title}</th>`);
  const cellsOf = (cells: readonly Part[]): Markup[] =>
    cells.map((cell, index) => markup`<td${classOf(index)}>${cell}</td>`);
  const body = rows.map((cells) => markup`<tr>${cellsOf(cells)}</tr>\n`);
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>${body}</tbody>
</table></div>`;
}
