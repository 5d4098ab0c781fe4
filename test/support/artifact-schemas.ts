import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';

const schemasDir = path.join(__dirname, '..', '..', '..', 'shared', 'data', 'schemas');

/** What the published JSON Schema of GI or KG finds wrong with `artifact`; undefined where `../shared/data` is not there. */
export function schemaFaults(kind: 'gi' | 'kg', artifact: unknown): string[] | undefined {
  const file = path.join(schemasDir, `${kind}.schema.json`);
  if (!existsSync(file)) return undefined;
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/ },
  });
  const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
  void validate(artifact);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
}
