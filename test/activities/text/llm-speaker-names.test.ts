import { speakerNamesByModel } from '../../../activities/text/llm-speaker-names.js';
import { ModelCalls } from '../../../activities/text/model-calls.js';
import type { SpeakerName } from '../../../src/speaker-names.js';
import { scriptedModel, type ScriptedAnswer } from '../../support/scripted-model.js';
import { episodeOf, spoken } from '../../support/spoken.js';

/** Two voices that no rule can name. */
const transcript = spoken([
  'A: So here we are again, in the workshop of Nadia Sereni, who has built wheels for years.',
  'B: For thirty years, and the spokes always tell you when they are tired.',
]);
const episode = episodeOf({ description: 'With Nadine Serano.' });
const said = {
  speaker: 'SPEAKER_01',
  name: 'Nadia Sereni',
  role: 'guest',
  evidence: 'in the workshop of Nadia Sereni',
};
const noted = { ...said, name: 'Nadine Serano', evidence: 'With Nadine Serano' };

describe('speakerNamesByModel', () => {
  const askFor = (answer: ScriptedAnswer) => {
    const model = scriptedModel({ speaker_names: [answer] });
    return { model, names: speakerNamesByModel(new ModelCalls(model.deps), { episode, transcript }) };
  };
  const namesFrom = (...speakers: object[]): Promise<SpeakerName[]> => askFor({ json: { speakers } }).names;

  it('asks the model once, and takes a name whose evidence was said', async () => {
    const { model, names } = askFor({ json: { speakers: [said] } });

    expect(await names).toEqual([{ speaker: 'SPEAKER_01', name: 'Nadia Sereni', role: 'guest', source: 'audio' }]);
    expect(model.asked).toEqual(['speaker_names']);
  });

  it('takes a name whose evidence stands in the show notes', async () => {
    expect(await namesFrom(noted)).toMatchObject([{ name: 'Nadine Serano', source: 'show_notes' }]);
  });

  it('takes what was said before what only the show notes say, whichever is proposed first', async () => {
    expect(await namesFrom(noted, said)).toMatchObject([{ name: 'Nadia Sereni', source: 'audio' }]);
  });

  it.each([
    ['whose evidence nobody said', { ...said, evidence: 'I am Nadia Sereni' }],
    ['that its evidence does not hold', { ...said, name: 'Liam' }],
    ['that is only a label', { ...said, name: 'SPEAKER_01', evidence: 'SPEAKER_01' }],
    ['of a voice that there is not', { ...said, speaker: 'SPEAKER_07' }],
  ])('leaves the voice unnamed for a name %s', async (_, given) => {
    expect(await namesFrom(given)).toEqual([]);
  });

  it('gives up after the re-roll when the answer stays invalid', async () => {
    const { model, names } = askFor('nobody');

    await expect(names).rejects.toMatchObject({ service: 'speaker_names' });
    expect(model.asked).toEqual(['speaker_names', 'speaker_names']);
  });
});
