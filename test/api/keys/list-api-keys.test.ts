import { describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

describe('GET /v1/api-keys', () => {
  it("lists the organization's keys, newest first, in pages", async () => {
    const ana = await given.user();
    for (const name of ['one', 'two', 'three']) await given.apiKey(ana, { name });
    const names = async (query = {}) => (await ana.get('/v1/api-keys', query)).body.data.map(({ name }: Json) => name);
    expect(await names()).toEqual(['three', 'two', 'one', 'Test']);
    expect(await names({ limit: 2, offset: 1 })).toEqual(['two', 'one']);
    expect((await ana.get('/v1/api-keys')).body.meta).toEqual({ total: 4, limit: 50, offset: 0 });
  });

  it.each([
    ['limit', 201],
    ['limit', 0],
    ['offset', -1],
  ])('refuses %s=%s', async (name, value) => {
    const ana = await given.user();
    expect((await ana.get('/v1/api-keys', { [name]: value })).status).toBe(422);
  });
});
