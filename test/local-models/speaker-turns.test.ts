import { tidyTurns } from '../../local-models/speaker-turns.js';

describe('tidyTurns', () => {
  it('orders the turns and numbers the speakers by their first', () => {
    const turns = tidyTurns([
      { startSec: 5, endSec: 8, speaker: 3 },
      { startSec: 0, endSec: 4, speaker: 7 },
    ]);
    expect(turns).toEqual([
      { startSec: 0, endSec: 4, speaker: 0 },
      { startSec: 5, endSec: 8, speaker: 1 },
    ]);
  });

  it('joins one speaker across a short pause', () => {
    const turns = tidyTurns([
      { startSec: 0, endSec: 4, speaker: 0 },
      { startSec: 4.6, endSec: 8, speaker: 0 },
    ]);
    expect(turns).toEqual([{ startSec: 0, endSec: 8, speaker: 0 }]);
  });

  it('keeps a long pause', () => {
    const turns = [
      { startSec: 0, endSec: 4, speaker: 0 },
      { startSec: 6, endSec: 8, speaker: 0 },
    ];
    expect(tidyTurns(turns)).toEqual(turns);
  });

  it('does not join across another speaker', () => {
    const turns = [
      { startSec: 0, endSec: 4, speaker: 0 },
      { startSec: 4, endSec: 4.3, speaker: 1 },
      { startSec: 4.3, endSec: 8, speaker: 0 },
    ];
    expect(tidyTurns(turns)).toEqual(turns);
  });
});
