import fc from 'fast-check';
import { isPlainName, safeName, slug } from '../../src/safe-name.js';

const digest = (text: string): string => Buffer.from(text).toString('hex').padEnd(8, '0');

describe('isPlainName', () => {
  it.each(['e01', 'p01_multi_e01', '2024.01.02', '0'])('takes %s', (name) => {
    expect(isPlainName(name)).toBe(true);
  });

  it.each(['', 'E01', 'a b', 'a/b', '..', '.hidden', 'ends.', 'con', 'nul.mp3', 'lpt1', 'é', 'x'.repeat(65)])(
    'refuses "%s"',
    (name) => {
      expect(isPlainName(name)).toBe(false);
    },
  );
});

describe('slug', () => {
  it('keeps letters without their accents, digits and hyphens', () => {
    expect(slug('  Épisode 3: Çafé & „Söhne“ 🌍 ')).toBe('episode-3-cafe-sohne');
  });

  it('is short and never ends in a hyphen, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(slug(text)).toMatch(/^([a-z0-9]([a-z0-9-]{0,46}[a-z0-9])?)?$/);
      }),
    );
  });
});

describe('safeName', () => {
  it('keeps a plain name and makes any other plain', () => {
    expect(safeName('night-1', digest)).toBe('night-1');
    expect(safeName('Night/1', digest)).toBe('night-1-4e696768');
    expect(safeName('夜', digest)).toBe('e5a49c00');
  });
});
