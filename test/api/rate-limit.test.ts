import { describe, expect, it } from 'vitest';
import { callerOf } from '#shared/caller/caller.ts';
import { NEW_KEY_WEIGHT } from '#shared/contract/weight.ts';
import { useInstances } from '#test/support/api.ts';
import { Client } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';
import { leftAfter, limitOf } from '#test/support/rate-limit.ts';

/** `weights.test.ts` has what each request weighs. */

describe('rate limit', () => {
  // Each function leases tokens for itself.
  useInstances();

  it('allows as many requests as the bucket holds, then answers 429 with Retry-After', async () => {
    const ana = await given.user({ rateLimit: 5 });
    const replies = [];
    for (let i = 0; i < 7; i++) replies.push(await ana.get('/products'));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(replies[0]?.headers.get('ratelimit-policy')).toBe('"default";q=5;w=60');
    // Each of five tokens takes twelve seconds to come back.
    for (const [position, reply] of replies.slice(0, 5).entries()) {
      const { left, secondsUntilFull } = limitOf(reply);
      expect(left).toBe(4 - position);
      expect(secondsUntilFull).toBeGreaterThan(0);
      expect(secondsUntilFull).toBeLessThanOrEqual(12 * (position + 1));
    }
    const refused = replies[5];
    expect(refused?.body.code).toBe('rate_limited');
    const retryAfter = Number(refused?.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(12);
  });

  it('takes what a request weighs in all, whether it is charged at once or step by step', async () => {
    const request = { organization: undefined, now: new Date(), tell: () => undefined };
    for (const weights of [[5], [1, 5], [1, 3, 2, 5]]) {
      const ana = await given.user({ rateLimit: 10 });
      const charged = async (...tokens: readonly number[]) => {
        const { charge } = await callerOf(
          { ...request, authorization: `Bearer ${ana.apiKey}` },
          { scope: 'products:read' },
        );
        for (const weight of tokens) await charge(weight);
      };
      await charged(...weights);
      await charged(5);
      await expect(charged(1)).rejects.toThrow('try again in');
    }
  });

  it('never shows more than the limit, though a function holds tokens while the bucket refills', async () => {
    const ana = await given.user({ rateLimit: 6_000 });
    for (let i = 0; i < 20; i++) await ana.get('/products');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(leftAfter(await ana.get('/products'))).toBeLessThanOrEqual(6_000);
  });

  it('holds one limit over all functions', async () => {
    const ana = await given.user({ rateLimit: 6 });
    const paths = ['/products', '/clients', '/v1/api-keys'];
    const startedAt = Date.now();
    const replies = [];
    for (let i = 0; i < 12; i++) replies.push(await ana.get(paths[i % 3] ?? ''));
    const refilled = Math.floor((Date.now() - startedAt) / 10_000);
    const allowed = replies.filter(({ status }) => status === 200).length;
    expect(allowed).toBeGreaterThan(paths.length);
    expect(allowed).toBeLessThanOrEqual(6 + refilled);
  });

  it('counts also what is refused for other reasons, and says so in every authenticated answer', async () => {
    const ana = await given.user({ rateLimit: 5, scopes: ['products:read', 'keys:write'] });
    const replies = [
      await ana.post('/products', {}),
      await ana.get('/products/none'),
      await ana.get('/products', { limit: 0 }),
      await ana.send('POST', '/v1/api-keys', { rawBody: '{' }),
      await ana.get('/products'),
      await ana.get('/products'),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 404, 422, 400, 200, 429]);
    expect(replies.map(leftAfter)).toEqual([4, 3, 2, 1, 0, 0]);
    for (const { headers } of replies) expect(headers.get('ratelimit-policy')).toBe('"default";q=5;w=60');
  });

  it('is one for a key and all that it makes, and a new key begins with what is left', async () => {
    const LIMIT = 20;
    const ana = await given.user({ rateLimit: LIMIT });
    const startedAt = Date.now();
    const made = [await given.apiKey(ana), await given.apiKey(ana), await given.apiKey(ana)];
    const clients = made.map(({ apiKey }) => new Client(apiKey));
    const requests = Array.from({ length: 20 }, () => clients.map((client) => client.get('/products')));
    const replies = await Promise.all(requests.flat());
    const refilled = Math.ceil((Date.now() - startedAt) / (60_000 / LIMIT));
    const left = LIMIT - made.length * NEW_KEY_WEIGHT;
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(left + refilled);
    expect((await ana.get('/products')).status).toBe(429);
  });

  it('bounds a key also by its own lower limit, whichever operations it calls', async () => {
    const child = new Client((await given.apiKey(await given.user(), { rateLimit: 3 })).apiKey);
    const replies = [];
    for (const path of ['/products', '/products', '/clients', '/clients', '/invoices', '/v1/me']) {
      replies.push(await child.get(path));
    }
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 403, 429, 429, 429]);
    expect(replies.map(leftAfter)).toEqual([2, 1, 0, 0, 0, 0]);
  });

  it('charges the family for all that a request weighs, though the limit of the key is lower', async () => {
    const ana = await given.user({ rateLimit: 20 });
    const startedAt = Date.now();
    const child = new Client((await given.apiKey(ana, { rateLimit: 1 })).apiKey);
    expect((await child.get('/products/search', { q: 'a' })).status).toBe(200);
    const refilled = Math.ceil((Date.now() - startedAt) / 3_000);
    const left = leftAfter(await ana.get('/products'));
    expect(left).toBeLessThanOrEqual(20 - NEW_KEY_WEIGHT - 5 - 1 + refilled);
  });

  it('charges the family nothing for what the key itself cannot pay', async () => {
    const ana = await given.user({ rateLimit: 20 });
    const child = new Client((await given.apiKey(ana, { rateLimit: 2 })).apiKey);
    expect((await child.get('/products')).status).toBe(200);
    // It weighs five, of which the family would pay three.
    expect((await child.get('/products/search', { q: 'a' })).status).toBe(429);
    // Functions that have not met the key before.
    for (const path of ['/clients', '/invoices', '/v1/me']) expect((await child.get(path)).status).toBe(429);
    expect(leftAfter(await ana.get('/products'))).toBeGreaterThanOrEqual(20 - NEW_KEY_WEIGHT - 2 - 1);
  });

  it('refuses what the family cannot pay, though the key alone could', async () => {
    const ana = await given.user({ rateLimit: 9 });
    const child = new Client((await given.apiKey(ana, { rateLimit: 1 })).apiKey);
    const refused = await child.get('/products/search', { q: 'a' });
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 429, code: 'rate_limited' });
    expect(refused.body.detail).toContain('The keys of its family together allow 9 requests a minute');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
