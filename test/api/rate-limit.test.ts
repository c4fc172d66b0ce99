import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

describe('rate limit', () => {
  it('allows as many requests as the bucket holds, then answers 429 with Retry-After', async () => {
    const ana = await given.user({ rateLimit: 5 });
    const replies = [];
    for (let i = 0; i < 7; i++) replies.push(await ana.get('/products'));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(replies[0]?.headers.get('ratelimit-policy')).toBe('"default";q=5;w=60');
    expect(replies[0]?.headers.get('ratelimit')).toMatch(/^"default";r=4;t=\d+$/);
    expect(replies[4]?.headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
    const refused = replies[5];
    expect(refused?.body.code).toBe('rate_limited');
    const retryAfter = Number(refused?.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThanOrEqual(10);
    expect(retryAfter).toBeLessThanOrEqual(12);
  });

  it('refills evenly, and Retry-After is long enough', async () => {
    const ana = await given.user({ rateLimit: 60 });
    let reply = await ana.get('/products');
    while (reply.status === 200) reply = await ana.get('/products');
    expect(reply.headers.get('retry-after')).toBe('1');
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await ana.get('/products')).status).toBe(200);
  });

  it('holds one limit over all functions', async () => {
    const ana = await given.user({ rateLimit: 6 });
    const paths = ['/products', '/products/search?q=x', '/v1/api-keys'];
    const replies = [];
    for (let i = 0; i < 9; i++) replies.push(await ana.get(paths[i % 3] ?? ''));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(6);
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
    const left = replies.map(({ headers }) => /^"default";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]);
    expect(left.map(Number)).toEqual([4, 3, 2, 1, 0, 0]);
    for (const { headers } of replies) expect(headers.get('ratelimit-policy')).toBe('"default";q=5;w=60');
  });

  it('never allows more than the limit when many ask at once', async () => {
    const ana = await given.user({ rateLimit: 20 });
    const startedAt = Date.now();
    const replies = await Promise.all(Array.from({ length: 60 }, () => ana.get('/products')));
    const refilled = Math.floor((Date.now() - startedAt) / 3_000);
    const allowed = replies.filter(({ status }) => status === 200).length;
    expect(allowed).toBeLessThanOrEqual(20 + refilled);
    expect(allowed).toBeGreaterThanOrEqual(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(60 - allowed);
  });
});
