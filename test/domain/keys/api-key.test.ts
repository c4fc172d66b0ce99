import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assertGrantable,
  expiryOf,
  formatApiKey,
  hashApiKey,
  isWellFormedApiKey,
} from '#shared/domain/keys/api-key.ts';

const random = fc.uint8Array({ minLength: 32, maxLength: 32 });
const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('API key', () => {
  it('has a prefix, 43 url-safe random characters and 6 characters of checksum', () => {
    fc.assert(
      fc.property(random, (bytes) => {
        const apiKey = formatApiKey(bytes);
        return /^bw_[A-Za-z0-9_-]{43}[A-Za-z0-9_-]{6}$/.test(apiKey) && isWellFormedApiKey(apiKey);
      }),
    );
  });

  it('is refused when any one character is mistyped', () => {
    fc.assert(
      fc.property(random, fc.nat({ max: 51 }), fc.constantFrom(...URL_SAFE), (bytes, position, character) => {
        const apiKey = formatApiKey(bytes);
        fc.pre(apiKey[position] !== character);
        return !isWellFormedApiKey(apiKey.slice(0, position) + character + apiKey.slice(position + 1));
      }),
    );
  });

  it('is hashed to the SHA-256 of its text', () => {
    expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('grants what its creator holds and names what the creator lacks', () => {
    expect(() => assertGrantable(['products:read'], ['products:read', 'keys:write'])).not.toThrow();
    expect(() => assertGrantable(['products:read', 'keys:read'], ['products:read'])).toThrow(
      'The caller lacks keys:read and so cannot grant it.',
    );
  });

  it('expires after days, also after a fraction of one, or never', () => {
    const now = new Date('2026-01-01T00:00:00.000Z');
    expect(expiryOf(undefined, now)).toBeNull();
    expect(expiryOf(1, now)).toBe('2026-01-02T00:00:00.000Z');
    expect(expiryOf(0.5, now)).toBe('2026-01-01T12:00:00.000Z');
  });
});
