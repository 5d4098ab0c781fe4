import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { projectRoot } from './context.js';

/** The version of this program, as its package.json has it. */
export function holdfastVersion(): string {
  const text = readFileSync(path.join(projectRoot(), 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
