import { z } from 'zod';
import { batchInputSchema } from './batch.js';

/** The JSON Schema (draft 2020-12) of `batch.json`, for editors and other clients; written to `docs/batch.schema.json`. */
export function batchJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(batchInputSchema, { target: 'draft-2020-12', io: 'input' }),
    title: 'Input of the workflow reprocessBatch',
  };
}
