import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { batchJsonSchema } from '../../src/batch-json-schema.js';

const file = path.join(__dirname, '..', '..', 'docs', 'batch.schema.json');

describe('batchJsonSchema', () => {
  it('is what docs/batch.schema.json holds', () => {
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(batchJsonSchema());
  });

  it.each([
    [true, { source: { feed: 'f.xml' } }],
    [true, { source: { audio: ['a.mp3'] }, overrides: { resilience_retries_before_trip: '1' } }],
    [false, { source: { feed: 'f.xml', corpus: 'c' } }],
    [false, { source: { feed: 'f.xml' }, windows: 3 }],
    [false, { source: { feed: 'f.xml' }, overrides: { resilience_retry: 1 } }],
    [false, {}],
  ])('is %s of %j', (valid, input) => {
    expect(new Ajv2020().validate(batchJsonSchema(), input)).toBe(valid);
  });
});
