import { parseArgs } from 'node:util';
import { run as hold } from './hold.js';
import { run as local } from './local.js';

/** Measurements by name; each prints its figures, and answers with them. */
const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  local: () => local(),
  hold: async () => {
    const result = await hold();
    console.error(JSON.stringify(result, undefined, 2));
    return result;
  },
};

/** `npm run bench -- [--only NAME]... [--json]`; with `--json` one object, by bench, on standard output. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true }, json: { type: 'boolean', default: false } },
  });
  const chosen = values.only ?? Object.keys(benches);
  const unknown = chosen.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(', ')}; allowed with --only: ${Object.keys(benches).join(', ')}`);
    process.exitCode = 2;
    return;
  }
  const results: Record<string, unknown> = {};
  for (const name of chosen) {
    console.error(`== ${name}`);
    results[name] = await benches[name]?.();
  }
  if (values.json) console.log(JSON.stringify(results));
}

void main();
