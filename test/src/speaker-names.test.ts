import { resolveSpeakerNames } from '../../src/speaker-names.js';
import { episodeOf, spoken } from '../support/spoken.js';

const names = (lines: string[], fields = {}): string[] =>
  resolveSpeakerNames(spoken(lines), episodeOf(fields)).map(
    ({ speaker, name, role, source }) => `${speaker} ${name} ${role} ${source}`,
  );

describe('resolveSpeakerNames', () => {
  it('takes a host at his word when he introduces himself and whoever answers', () => {
    expect(
      names([
        "A: Welcome to the show. I'm Nora Bell, and I'm with Sophie Laurent, enduro racer.",
        'B: Good to be here.',
      ]),
    ).toEqual(['SPEAKER_00 Nora Bell host audio', 'SPEAKER_01 Sophie Laurent guest audio']);
  });

  it('names a host by the thanks that he gets', () => {
    expect(names(['A: Welcome back to the show.', 'B: Thanks, Maya — great to be here.'])).toEqual([
      'SPEAKER_00 Maya host audio',
    ]);
  });

  it('names a guest by the greeting in front of his answer', () => {
    expect(names(['A: Welcome to the show. Liam, thanks for being here.', 'B: Sure.'])).toEqual([
      'SPEAKER_01 Liam guest audio',
    ]);
  });

  it('completes a given name that was heard from the show notes', () => {
    expect(
      names(['A: Welcome to it.', 'B: Thanks, Maya.'], { people: [{ name: 'Maya Koster', role: 'host' }] }),
    ).toEqual(['SPEAKER_00 Maya Koster host audio']);
  });

  it('completes a name that begins with a letter beyond ASCII', () => {
    expect(
      names(['A: Welcome to it.', 'B: Thanks, Élodie.'], { people: [{ name: 'Élodie Marchand', role: 'host' }] }),
    ).toEqual(['SPEAKER_00 Élodie Marchand host audio']);
  });

  it.each(['Trish', 'Therese', 'Jonathan', 'Christian'])('takes %s for a name', (name) => {
    expect(names(['A: Welcome to it.', `B: Thanks, ${name}.`])).toEqual([`SPEAKER_00 ${name} host audio`]);
  });

  it.each(['English', 'Irish', 'American', 'German'])('takes %s for where somebody is from', (people) => {
    expect(names(['A: Welcome to it.', `B: Well, I'm ${people}, you know.`])).toEqual([]);
  });

  it('believes the audio where the show notes name somebody else', () => {
    expect(
      names(["A: Welcome to it. I'm joined by Sophie Lorenz.", 'B: Hello.'], { description: 'With Sophie van Dalen.' }),
    ).toEqual(['SPEAKER_01 Sophie Lorenz guest audio']);
  });

  it('takes the only guest in the show notes for the only voice that is left', () => {
    expect(
      names(["A: Welcome to it. I'm Maya.", 'B: Hello.'], { people: [{ name: 'Liam Verbeek', role: 'guest' }] }),
    ).toEqual(['SPEAKER_00 Maya host audio', 'SPEAKER_01 Liam Verbeek guest show_notes']);
  });

  it('leaves a voice without support unnamed', () => {
    expect(names(['A: So what happened?', 'B: Nothing at all.'], { description: 'With Liam Verbeek.' })).toEqual([]);
  });

  it('gives one name to one voice only', () => {
    expect(
      names(['A: Welcome to it.', 'B: Thanks, Maya.', 'A: Right.', 'C: Yes.', 'B: Thanks, Maya.', 'A: Bye.']),
    ).toEqual(['SPEAKER_00 Maya host audio']);
  });
});
