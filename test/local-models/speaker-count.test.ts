import { openExample, post, useLocalModels } from './local-models-rig.js';

const name = 'honest-archive';

async function countSpeakers(url: string, fields: Readonly<Record<string, string>>): Promise<number> {
  const { body } = await post(`${url}/v1/diarize`, fields, { file: await openExample(name) });
  return (body as { num_speakers: number }).num_speakers;
}

describe('speaker count', () => {
  // So tolerant that counting takes the two voices for one.
  const service = useLocalModels({ speakerThreshold: 0.97 });

  it('is one when one is allowed and counting finds one', async () => {
    expect(await countSpeakers(service().url, { min_speakers: '1' })).toBe(1);
  });

  it('is two by default although counting finds one', async () => {
    expect(await countSpeakers(service().url, {})).toBe(2);
  });
});
