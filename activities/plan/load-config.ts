import { emptyConfig, parseConfig } from '../../src/config.js';
import type { HoldfastConfig } from '../../src/config.js';
import { readYaml } from './read-yaml.js';

/**
 * Reads and parses a `holdfast.config.yaml` (or a profile file: the same fields). Never throws: all faults at once,
 * each naming the file and the field.
 */
export async function loadConfigFile(file: string): Promise<{ config: HoldfastConfig; faults: readonly string[] }> {
  const yaml = await readYaml(file);
  return 'faults' in yaml ? { config: emptyConfig, faults: yaml.faults } : parseConfig(yaml.content, file);
}
