import { suggestion } from './nearest-name.js';
import type { ProfilePreset } from './preset.js';
import { bakeoffPresets } from './presets-bakeoff.js';
import { cloudPresets } from './presets-cloud.js';
import { dgxPresets } from './presets-dgx.js';
import { localPresets } from './presets-local.js';
import { reprocessPresets } from './presets-reprocess.js';

/** Every shipped profile, by name. `profiles materialize` writes them, `profiles check` compares the files with them. */
export const presets: readonly ProfilePreset[] = [
  ...localPresets,
  ...reprocessPresets,
  ...dgxPresets,
  ...cloudPresets,
  ...bakeoffPresets,
];

export const presetNames: readonly string[] = presets.map((preset) => preset.name);

/** The profile of a run that names none. */
export const defaultProfileName = 'local';

export function findPreset(name: string): ProfilePreset | undefined {
  return presets.find((preset) => preset.name === name);
}

/** What to say of a profile that is not there: the nearest name, and where all of them are listed. */
export function unknownProfile(name: string, known: readonly string[] = presetNames): string {
  return `unknown profile "${name}"${suggestion(name, known)} (all of them: holdfast profiles list)`;
}
