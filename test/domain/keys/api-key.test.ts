import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  API_KEY_RANDOM_BYTES,
  assertGrantable,
  assertHolder,
  assertNamed,
  assertOfOrganization,
  expiryOf,
  formatApiKey,
  grantableLimits,
  hashApiKey,
  isWellFormedApiKey,
  refuseKey,
} from '#shared/domain/keys/api-key.ts';
import { PLATFORM_ID } from '#shared/domain/keys/platform.ts';
import { SCOPES, SCOPES_OF_ROLE } from '#shared/domain/keys/scopes.ts';

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

  it('has 32 random bytes', () => expect(API_KEY_RANDOM_BYTES).toBe(32));

  it('is hashed to the SHA-256 of its text', () => {
    expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('grants what its creator holds and names what the creator lacks', () => {
    expect(() => assertGrantable(['products:read'], ['products:read', 'keys:write'])).not.toThrow();
    expect(() => assertGrantable(['products:read', 'keys:read', 'keys:write'], ['products:read'])).toThrow(
      'The caller lacks keys:read, keys:write and so cannot grant it.',
    );
  });

  it('expires after days, also after a fraction of one, or never', () => {
    const now = new Date('2026-01-01T00:00:00.000Z');
    expect(expiryOf(undefined, now)).toBeNull();
    expect(expiryOf(1, now)).toBe('2026-01-02T00:00:00.000Z');
    expect(expiryOf(0.5, now)).toBe('2026-01-01T12:00:00.000Z');
  });

  it('is made for its maker, and for others with the scope to write the organization', () => {
    const ana = { userId: 'ana', scopes: ['keys:write'] } as const;
    expect(() => assertHolder('ana', ana)).not.toThrow();
    expect(() => assertHolder('bea', ana)).toThrow('The caller lacks the scope organization:write.');
    expect(() => assertHolder('bea', { ...ana, scopes: ['organization:write'] })).not.toThrow();
  });

  it('belongs to one organization, which is the only one that it may name, or to the platform', () => {
    const acme = { organizationId: 'acme' };
    expect(() => assertOfOrganization(acme)).not.toThrow();
    expect(() => assertOfOrganization({ organizationId: PLATFORM_ID })).toThrow('belongs to no organization.');
    for (const named of [undefined, 'acme']) expect(() => assertNamed(acme, named)).not.toThrow();
    expect(() => assertNamed(acme, 'other')).toThrow('Your API key belongs to another one.');
  });

  it('is refused where only people act', () => {
    expect(refuseKey).toThrow('An API key acts as its user, and is linked to no other.');
  });

  it('has the limits of its maker or lower ones', () => {
    const now = new Date('2026-01-01T00:00:00.000Z');
    const maker = { rateLimit: 60, expiresAt: '2026-01-02T00:00:00.000Z' };
    const lower = { rateLimit: 59, expiresAt: '2026-01-01T12:00:00.000Z' };
    expect(grantableLimits({}, maker, now)).toEqual(maker);
    expect(grantableLimits({ rateLimit: 60, expiresInDays: 1 }, maker, now)).toEqual(maker);
    expect(grantableLimits({ rateLimit: 59, expiresInDays: 0.5 }, maker, now)).toEqual(lower);
    expect(grantableLimits({ expiresInDays: 1 }, { ...maker, expiresAt: null }, now)).toEqual(maker);
    expect(() => grantableLimits({ rateLimit: 61 }, maker, now)).toThrow('The caller has 60 requests a minute');
    expect(() => grantableLimits({ expiresInDays: 1.001 }, maker, now)).toThrow('Your API key expires at 2026-01-02T');
  });
});

it('a member who has signed in reads the catalogue, the clients and the events, and tracks time', () => {
  const scopes = ['products:read', 'clients:read', 'tracker:read', 'tracker:write', 'events:read'];
  expect(SCOPES_OF_ROLE).toEqual({ admin: SCOPES, member: scopes });
});
