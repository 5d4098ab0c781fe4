import { parseArgs } from 'node:util';
import { run as local } from './local.js';

/** Measurements by name; each prints its figures. */
const benches: Readonly<Record<string, () => Promise<unknown>>> = { local };

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
  const chosen = values.only ?? Object.keys(benches);
  const unknown = chosen.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(', ')}; allowed with --only: ${Object.keys(benches).join(', ')}`);
    process.exitCode = 2;
    return;
  }
  for (const name of chosen) {
    console.log(`== ${name}`);
    await benches[name]?.();
  }
}

void main();
