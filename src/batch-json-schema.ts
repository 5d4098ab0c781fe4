import { z } from 'zod';
import { batchInputSchema } from './batch.js';
import { knobAllows, knobNames } from './knobs.js';

/**
 * The JSON Schema (draft 2020-12) of `batch.json`, for editors and other clients; kept in `docs/batch.schema.json`.
 * `overrides` names every knob and says what it takes; the knob's own schema decides.
 */
export function batchJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(batchInputSchema, { target: 'draft-2020-12', io: 'input' });
  const knobs = Object.fromEntries(knobNames.map((knob) => [knob, { description: knobAllows(knob) }]));
  const overrides = { type: 'object', properties: knobs, additionalProperties: false };
  return {
    ...schema,
    title: 'Input of the workflow reprocessBatch',
    properties: { ...schema.properties, overrides },
  };
}
