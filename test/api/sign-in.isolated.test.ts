import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '#test/support/client.ts';
import { keyPair } from '#test/support/issuer.ts';
import { useIssuerCloud } from '#test/support/issuer-cloud.ts';

/** Functions in processes of their own, and an issuer that misbehaves. */

const { issuer, own, personWith } = await useIssuerCloud();

const rsa = keyPair('first', 'RS256');
const ec = keyPair('second');

/** These are of different functions. */
const PATHS = ['/v1/me', '/products', '/clients', '/v1/users', '/v1/organization', '/v1/work/tracker/projects'];

const log: string[] = [];
const tokens: string[] = [];

beforeAll(() => own.cloud.logs.subscribe((line) => log.push(JSON.stringify(line))));

function get(path: string, token: string): Promise<Reply> {
  tokens.push(token);
  return personWith(token).get(path);
}

const statusesOf = async (token: string) =>
  Promise.all(PATHS.map(async (path) => [path, (await get(path, token)).status] as const));

const allWith = (status: number) => PATHS.map((path) => [path, status]);

describe('functions that meet a person who has signed in', () => {
  it('answer 503 soon while the issuer is slow or down, and 200 once it is back', async () => {
    issuer.behave(rsa);
    issuer.delayMilliseconds = 10_000;
    const begun = performance.now();
    const slow = await get('/v1/me', issuer.token(rsa));
    expect(slow).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable' } });
    expect(slow.headers.get('retry-after')).toBe('2');
    expect(performance.now() - begun, 'before the issuer answers').toBeLessThan(issuer.delayMilliseconds);
    issuer.behave(rsa);
    issuer.status = 500;
    expect((await get('/clients', issuer.token(rsa))).status).toBe(503);
    issuer.behave(rsa);
    await expect.poll(async () => (await get('/v1/me', issuer.token(rsa))).status).toBe(200);
    await expect.poll(async () => (await get('/clients', issuer.token(rsa))).status).toBe(200);
  });

  it('ask at most once each for a key that they meet at once, and nobody for one that they hold', async () => {
    await statusesOf(issuer.token(rsa));
    issuer.behave(rsa, ec);
    expect(await statusesOf(issuer.token(ec))).toEqual(allWith(200));
    expect(issuer.timesAsked).toBeLessThanOrEqual(PATHS.length);
    expect(await statusesOf(issuer.token(ec, { sub: 'another' }))).toEqual(allWith(200));
    expect(await statusesOf(issuer.token(rsa))).toEqual(allWith(200));
    // An instance that starts meanwhile, on a busy machine, asks where the keys are as well.
    const started = issuer.asked.filter((path) => path !== '/keys').length;
    expect(issuer.timesAsked).toBeLessThanOrEqual(PATHS.length + started);
  });

  it('write no part of any token into their log', async () => {
    expect((await get('/v1/me', issuer.token(ec, { aud: 'other' }))).body.code).toBe('invalid_token');
    const last = await get('/v1/me', issuer.token(ec));
    await expect.poll(() => log.join('\n')).toContain(last.headers.get('x-request-id'));
    expect(log.join('\n')).toContain('the keys of the issuer could not be read');
    for (const part of tokens.flatMap((token) => token.split('.').slice(1)).filter(({ length }) => length > 0)) {
      expect(log.join('\n')).not.toContain(part);
    }
    expect(log.join('\n')).not.toContain('ana@example.com');
  });
});
