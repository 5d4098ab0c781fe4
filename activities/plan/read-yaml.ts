import { readFile } from 'node:fs/promises';
import { parseDocument } from 'yaml';

/** What a YAML file holds, or what is wrong with it, in lines that name the file. */
export type YamlFile = { readonly content: unknown } | { readonly faults: readonly string[] };

/**
 * Reads one YAML document. Never throws: a file that cannot be read, or is not valid YAML (duplicate keys included), is
 * told as faults with the file, line and column.
 */
export async function readYaml(file: string): Promise<YamlFile> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unreadable';
    return { faults: [`${file}: cannot be read (${code})`] };
  }
  const document = parseDocument(text, { prettyErrors: true });
  if (document.errors.length > 0) {
    // The first line says what and where; the rest of a pretty error quotes the file.
    return { faults: document.errors.map((error) => `${file}: not valid YAML: ${error.message.split('\n')[0] ?? ''}`) };
  }
  return { content: document.toJS() as unknown };
}
