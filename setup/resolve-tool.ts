import type { SetupContext } from './context.js';

/** What a source answers: the part, or the reason why it is not to be had there. */
export type Finding<T> = { readonly found: T } | { readonly missing: string };

/** One place where a part may come from. An error thrown by `find` counts as missing, with its message as the reason. */
export interface Source<T> {
  readonly name: string;
  /** Set where somebody named the part on purpose: when it is set but unusable, nothing else is tried in its place. */
  readonly explicit?: boolean;
  find(): Promise<Finding<T>>;
}

/** A source that was asked in vain. */
export interface Tried {
  readonly source: string;
  readonly reason: string;
}

/** A part, the name of the source that gave it, and the sources asked before. */
export type Resolved<T> = T & { readonly source: string; readonly tried: readonly Tried[] };

/** Thrown when no source has the part; the message lists every step tried with its outcome. */
export class PartNotFoundError extends Error {
  override readonly name = 'PartNotFoundError';
  constructor(
    readonly part: string,
    readonly tried: readonly Tried[],
  ) {
    const steps = tried.map(({ source, reason }, index) => `  ${index + 1}. ${source}: ${reason}`);
    super(`${part} was not found. Tried, in this order:\n${steps.join('\n')}`);
  }
}

/** The value of an explicit source (an environment variable) that is not set. */
export const notSet = { missing: 'not set' } as const;

/**
 * Asks the sources in order and answers with the first that has the part.
 * @throws {PartNotFoundError} when none has, or when an explicit source is set and unusable.
 */
export async function resolveTool<T extends object>(
  part: string,
  sources: readonly Source<T>[],
  context: SetupContext,
): Promise<Resolved<T>> {
  const tried: Tried[] = [];
  for (const source of sources) {
    context.onStep?.({ part, source: source.name, state: 'trying', detail: '' });
    const finding = await ask(source);
    if ('found' in finding) {
      context.onStep?.({ part, source: source.name, state: 'found', detail: '' });
      return { ...finding.found, source: source.name, tried };
    }
    context.onStep?.({ part, source: source.name, state: 'missing', detail: finding.missing });
    tried.push({ source: source.name, reason: finding.missing });
    if (source.explicit === true && finding.missing !== notSet.missing) break;
  }
  throw new PartNotFoundError(part, tried);
}

async function ask<T>(source: Source<T>): Promise<Finding<T>> {
  try {
    return await source.find();
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}
