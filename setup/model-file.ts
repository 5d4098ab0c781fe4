import fs from 'node:fs';
import path from 'node:path';
import type { SetupContext } from './context.js';
import { installDownload, parseDownload } from './download.js';
import { notSet, type Source } from './resolve-tool.js';

/** A model file that the environment names: a path, or an address that ends in `#sha256=<digest>`. */
export function modelFromEnvironment(variable: string, context: SetupContext): Source<{ path: string }> {
  return {
    name: variable,
    explicit: true,
    find: async () => {
      const value = context.env[variable];
      if (value === undefined || value === '') return notSet;
      const download = parseDownload(value);
      if (download) return { found: { path: await installDownload(download, context) } };
      const file = path.resolve(value);
      return fs.existsSync(file) ? { found: { path: file } } : { missing: `${file} does not exist` };
    },
  };
}
