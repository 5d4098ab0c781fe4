import fc from 'fast-check';
import { knobAllows, knobNames, parseAssignments, parseKnobs } from '../../src/knobs.js';

describe('parseKnobs', () => {
  it.each([
    ['resilience_retries_before_trip', '5', 5],
    ['resilience_backoff_schedule_sec', '1,2,4', [1, 2, 4]],
    ['resilience_backoff_schedule_sec', '[1, 2.5, 4]', [1, 2.5, 4]],
    ['resilience_backoff_schedule_sec', '1', [1]],
    ['resilience_backoff_schedule_sec', 7, [7]],
    ['resilience_on_open_max_wait_sec', '0.5', 0.5],
    ['resilience_run_context', 'reprocess', 'reprocess'],
    ['transcript_cache_enabled', 'false', false],
    ['transcription', 'openai_whisper_1', 'openai_whisper_1'],
    ['transcription_fallback', 'a, b', ['a', 'b']],
    ['transcription_fallback', '', []],
    ['transcription_fallback', ['a'], ['a']],
  ])('reads %s from %j', (knob, given, expected) => {
    expect(parseKnobs({ [knob]: given }, 'overrides')).toEqual({ values: { [knob]: expected }, faults: [] });
  });

  it('leaves a knob unset that is null', () => {
    expect(parseKnobs({ resilience_jitter: null }, 'profile x')).toEqual({ values: {}, faults: [] });
  });

  it('names the nearest known knob for a misspelt one', () => {
    expect(parseKnobs({ resilience_retries_before_tripp: 3 }, 'overrides').faults).toEqual([
      'overrides: unknown knob "resilience_retries_before_tripp"; did you mean "resilience_retries_before_trip"?',
    ]);
  });

  it('says what it got and what is allowed, for every fault at once', () => {
    const { faults } = parseKnobs(
      {
        resilience_retries_before_trip: 21,
        resilience_jitter: 'lots',
        resilience_failure_strategy: 'pray',
        nonsense: 1,
      },
      'run',
    );
    expect(faults).toHaveLength(4);
    expect(faults[0]).toBe(
      'run: resilience_retries_before_trip: got 21, allowed: a whole number 0..20: retries after the first try',
    );
    expect(faults[1]).toContain('got "lots", allowed: a share of the wait, 0..1');
    expect(faults[2]).toContain('got "pray", allowed: failover or hold');
  });

  it.each([
    ['resilience_retries_before_trip', ''],
    ['resilience_retries_before_trip', '2.5'],
    ['resilience_retries_before_trip', 'Infinity'],
    ['resilience_retries_before_trip', 'true'],
    ['resilience_backoff_schedule_sec', '[]'],
    ['resilience_backoff_schedule_sec', '1,x'],
    ['resilience_on_open_max_wait_sec', '0'],
    ['transcript_cache_enabled', 'yes'],
    ['transcript_cache_enabled', 1],
    ['transcription', ' '],
  ])('refuses %s = %j', (knob, given) => {
    expect(parseKnobs({ [knob]: given }, 'run').faults).toHaveLength(1);
  });

  it('never throws and never invents a knob, whatever it is given', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...knobNames)), fc.anything()), (raw) => {
        const { values } = parseKnobs(raw, 'run');
        expect(knobNames).toEqual(expect.arrayContaining(Object.keys(values)));
      }),
    );
  });

  it('reads back what it gave: parsing twice changes nothing', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 3600 }), { minLength: 1 }),
        (n, list) => {
          fc.pre(list.length <= 32);
          const raw = { resilience_retries_before_trip: String(n), resilience_backoff_schedule_sec: list.join(',') };
          const { values } = parseKnobs(raw, 'run');
          expect(parseKnobs(values, 'run').values).toEqual(values);
        },
      ),
    );
  });
});

describe('knobAllows', () => {
  it('says of every knob what it takes', () => {
    for (const knob of knobNames) expect(knobAllows(knob)).not.toBe('see the documentation');
  });
});

describe('parseAssignments', () => {
  it('splits at the first equals sign', () => {
    expect(parseAssignments(['a=1', 'b=x=y']).raw).toEqual({ a: '1', b: 'x=y' });
  });

  it('tells every text that is no assignment', () => {
    expect(parseAssignments(['a', '=1', 'b=2']).faults).toEqual([
      '--set: got "a", expected knob=value',
      '--set: got "=1", expected knob=value',
    ]);
  });
});
