import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

describe('PATCH /clients/{id}', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it('changes what is sent, clears what is null, and leaves the rest', async () => {
    const client = await given.client(ana, { email: 'a@example.com', city: 'Berlin', currency: 'EUR' });
    const reply = await ana.patch(`/clients/${client.id}`, { city: 'Bonn', email: null, countryCode: 'de' });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({
      ...client,
      city: 'Bonn',
      email: null,
      countryCode: 'DE',
      updatedAt: expect.any(String),
    });
    expect(reply.body.data.updatedAt >= client.updatedAt).toBe(true);
    expect((await ana.get(`/clients/${client.id}`)).body.data).toEqual(reply.body.data);
  });

  it('moves a renamed client to its place in the order by name, and finds it by the new name only', async () => {
    const bea = await given.user();
    const client = await given.client(bea, { name: 'Alpha' });
    await given.client(bea, { name: 'Beta' });
    await bea.patch(`/clients/${client.id}`, { name: 'Gamma' });
    const query = { pagination: 'cursor', orderBy: 'name', orderDirection: 'asc' };
    const { edges } = (await bea.get('/clients', query)).body;
    expect(edges.map(({ node }: Json) => node.name)).toEqual(['Beta', 'Gamma']);
    expect((await bea.get('/clients', { q: 'alpha' })).body.data).toEqual([]);
    expect((await bea.get('/clients', { q: 'gamma' })).body.meta.total).toBe(1);
  });
});
