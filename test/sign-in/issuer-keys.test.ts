import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readKeysUrl } from '#shared/caller/sign-in/issuer-documents.ts';
import { IssuerKeys } from '#shared/caller/sign-in/issuer-keys.ts';
import { withDeadline } from '#shared/runtime/deadline.ts';
import { WayOut } from '#shared/runtime/way-out.ts';
import { jwkOf, keyPair, useTestIssuer } from '#test/support/issuer.ts';
import { useLog } from '#test/support/log.ts';

const first = keyPair('first', 'RS256');
const second = keyPair('second');
const issuer = useTestIssuer(first);
const log = useLog();

/** Milliseconds since the epoch, as the keys see it. */
let now = 0;

beforeEach(() => {
  now = Date.UTC(2026, 10, 23);
});

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

const heldKeys = (fetchMilliseconds?: number) => new IssuerKeys(issuer.url, () => now, fetchMilliseconds);

const unavailable = expect.objectContaining({ code: 'temporarily_unavailable' });

describe('the keys of an issuer', () => {
  it('are asked for once, and held', async () => {
    const keys = heldKeys();
    const found = await keys.find('first');
    expect(found?.jwk).toMatchObject({ kid: 'first', alg: 'RS256' });
    expect(await keys.find('first')).toBe(found);
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  it('are asked for once by each of 50 functions that meet a new key in many requests at once', async () => {
    const functions = times(50, () => heldKeys());
    await Promise.all(functions.map((keys) => keys.find('first')));
    issuer.behave(first, second);
    const found = await Promise.all(functions.flatMap((keys) => times(10, () => keys.find('second'))));
    expect(found.every((key) => key?.jwk.kid === 'second')).toBe(true);
    expect(issuer.asked).toEqual(times(50, () => '/keys'));
  });

  it('are asked for without a connection that stays, which the issuer could close while the function is frozen', async () => {
    await heldKeys().find('first');
    await expect.poll(() => issuer.connections(), { timeout: 1_000 }).toBe(0);
  });

  it('are asked for again for an unknown id, at most once a minute', async () => {
    const keys = heldKeys();
    await keys.find('first');
    for (let request = 0; request < 20; request++) expect(await keys.find(`unknown-${request}`)).toBeUndefined();
    now += 59_999;
    issuer.behave(first, second);
    expect(await keys.find('second')).toBeUndefined();
    expect(issuer.timesAsked).toBe(0);
    now += 1;
    expect((await keys.find('second'))?.jwk.kid).toBe('second');
    expect(issuer.timesAsked).toBe(1);
  });

  it('are not asked for twice within a minute by a function that began with an unknown id', async () => {
    const keys = heldKeys();
    expect(await keys.find('unknown')).toBeUndefined();
    expect(await keys.find('unknown')).toBeUndefined();
    expect(issuer.timesAsked).toBe(1);
    expect((await keys.find('first'))?.jwk.kid).toBe('first');
  });

  it('are asked for again five seconds after an attempt that failed, and not by every request', async () => {
    const keys = heldKeys();
    issuer.status = 500;
    await expect(keys.find('first')).rejects.toEqual(unavailable);
    now += 1_999;
    await expect(Promise.all(times(10, () => keys.find('first')))).rejects.toEqual(unavailable);
    expect(issuer.asked).toHaveLength(1);
    issuer.behave(first);
    now += 1;
    expect((await keys.find('first'))?.jwk.kid).toBe('first');
  });

  it('are not waited for longer than the limit, discovery and keys together', async () => {
    issuer.delayMilliseconds = 700;
    await expect(heldKeys(1_000).find('first')).rejects.toEqual(unavailable);
    expect(issuer.timesAsked).toBe(1);
  });

  it.each([
    ['redirects', { status: 302 }],
    ['is no JSON', { body: '<html>' }],
    ['is not a set of keys', { body: '[]' }],
    ['is too large', { body: `{"keys":[],"x":"${'x'.repeat(256 * 1_024)}"}` }],
    ['names another issuer', { discovery: { issuer: 'https://elsewhere.example' } }],
    ['names no address', { discovery: { jwks_uri: 'keys' } }],
  ])('are a 503 when the answer of the issuer %s', async (_, misbehaviour) => {
    Object.assign(issuer, misbehaviour);
    await expect(heldKeys().find('first')).rejects.toEqual(unavailable);
    expect(issuer.asked).not.toContain('/elsewhere');
  });

  it('are found at their new address after the issuer has moved them', async () => {
    const keys = heldKeys();
    await keys.find('first');
    issuer.status = 404;
    await expect(keys.find('second')).rejects.toEqual(unavailable);
    issuer.behave(first, second);
    now += 2_000;
    expect((await keys.find('second'))?.jwk.kid).toBe('second');
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  it('are asked for again before they serve once they are an hour old, so that a withdrawn key ends', async () => {
    const keys = heldKeys();
    await keys.find('first');
    issuer.behave(second);
    now += 3_599_999;
    expect((await keys.find('first'))?.jwk.kid).toBe('first');
    now += 1;
    expect(await keys.find('first')).toBeUndefined();
    expect((await keys.find('second'))?.jwk.kid).toBe('second');
    expect(issuer.timesAsked).toBe(1);
  });

  it('serve on for a day when that fails, which is logged without a token, and no longer', async () => {
    log.recordLog();
    const keys = heldKeys();
    await keys.find('first');
    issuer.status = 500;
    now += 24 * 3_600_000 - 1;
    expect((await keys.find('first'))?.jwk.kid).toBe('first');
    expect(log.written.join('')).toContain('the keys of the issuer could not be read');
    now += 1;
    await expect(keys.find('first')).rejects.toEqual(unavailable);
    issuer.behave(first);
    now += 2_000;
    expect((await keys.find('first'))?.jwk.kid).toBe('first');
  });

  it('are not awaited from what another event has begun, whose outcome changes nothing any more', async () => {
    const keys = heldKeys();
    issuer.delayMilliseconds = 400;
    const abandoned = withDeadline(5_000, () => keys.find('first')).catch(() => undefined);
    await expect.poll(() => issuer.asked.length).toBe(1);
    issuer.behave(second);
    expect((await withDeadline(5_000, () => keys.find('second')))?.jwk.kid).toBe('second');
    expect(await abandoned).toBeUndefined();
    expect((await keys.find('second'))?.jwk.kid).toBe('second');
  });

  it('leave out those that sign with other algorithms, that encrypt, that are weak or broken', async () => {
    const { alg: _, ...unnamed } = jwkOf(keyPair('unnamed', 'RS256'));
    issuer.keys = [
      unnamed,
      { ...jwkOf(keyPair('rs512', 'RS256')), alg: 'RS512' },
      { ...jwkOf(keyPair('encrypts', 'RS256')), use: 'enc' },
      jwkOf(keyPair('weak', 'RS256', 1_024)),
      { kty: 'EC', crv: 'P-256', kid: 'broken', x: 'AA', y: 'AA' },
      { kty: 'oct', kid: 'secret', k: 'c2VjcmV0', alg: 'HS256' },
      null,
    ];
    const keys = heldKeys();
    const ids = ['unnamed', 'rs512', 'encrypts', 'weak', 'broken', 'secret'];
    const found = await Promise.all(ids.map((kid) => keys.find(kid)));
    expect(found.map((key) => key?.jwk.alg)).toEqual(['RS256', ...times(5, () => undefined)]);
  });

  it('are asked for over https only, where the issuer is', async () => {
    const answer = { issuer: 'https://issuer.example', jwks_uri: 'http://issuer.example/keys' };
    const body = Buffer.from(JSON.stringify(answer));
    const answered = { status: 200, headers: {}, read: async () => body, drop: () => {} };
    vi.spyOn(WayOut.prototype, 'request').mockResolvedValue(answered);
    await expect(readKeysUrl(answer.issuer, AbortSignal.timeout(1_000))).rejects.toThrow('not behind https');
  });
});
