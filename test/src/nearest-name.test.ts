import { nearestName, suggestion } from '../../src/nearest-name.js';

const known = ['resilience_retries_before_trip', 'resilience_jitter', 'local-ollama', 'transcription', 'diarization'];

describe('nearestName', () => {
  it.each([
    ['resilience_retries_before_tripp', 'resilience_retries_before_trip'],
    ['resilience_retry_before_trip', 'resilience_retries_before_trip'],
    ['resilienceRetriesBeforeTrip', 'resilience_retries_before_trip'],
    ['resilience-jitter', 'resilience_jitter'],
    ['transcribtion', 'transcription'],
    ['transcribe', 'transcription'],
    ['diarize', 'diarization'],
    ['ollama', 'local-ollama'],
  ])('takes %s for %s', (typed, meant) => {
    expect(nearestName(typed, known)).toBe(meant);
  });

  it('finds nothing near a word that resembles none', () => {
    expect(nearestName('xyzzy', known)).toBeUndefined();
  });

  it('takes the nearer of two near names', () => {
    expect(nearestName('kg_enable', ['gi_enabled', 'kg_enabled'])).toBe('kg_enabled');
  });
});

describe('suggestion', () => {
  it('asks for the near name, and is empty where there is none', () => {
    expect(suggestion('diarisation', known)).toBe('; did you mean "diarization"?');
    expect(suggestion('xyzzy', known)).toBe('');
  });
});
