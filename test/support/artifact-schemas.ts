import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';

const schemasDir = path.join(__dirname, '..', '..', '..', 'shared', 'data', 'schemas');

/** What the published JSON Schema of GI or KG finds wrong with `artifact`; undefined where `../shared/data` is not there. */
export function schemaFaults(kind: 'gi' | 'kg', artifact: unknown): string[] | undefined {
  const validate = validatorOf(kind);
  if (validate === undefined) return undefined;
  void validate(artifact);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
}

const compiled = new Map<string, ValidateFunction>();

function validatorOf(kind: 'gi' | 'kg'): ValidateFunction | undefined {
  const known = compiled.get(kind);
  const file = path.join(schemasDir, `${kind}.schema.json`);
  if (known !== undefined || !existsSync(file)) return known;
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/ },
  });
  const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
  compiled.set(kind, validate);
  return validate;
}
