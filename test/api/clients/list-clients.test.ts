import { beforeAll, describe, expect, it } from 'vitest';
import { listClients } from '#shared/contract/clients/list-clients.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { expectQueryRefused } from '#test/support/refusals.ts';

describe('GET /clients', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
    await given.client(ana, { name: 'Apple & Sons', contact: 'Zoë Pear' });
    await given.client(ana, { name: 'Banana Republic', email: 'info@pineAPPLE.example' });
    await given.client(ana, { name: 'ÄPFEL' });
    await given.client(ana, { name: 'apple tree', note: 'cherry' });
  });

  const names = async (query: Record<string, string | number>) =>
    (await ana.get('/clients', query)).body.data.map(({ name }: Json) => name);

  it('lists newest first, fifty at the most, with the total', async () => {
    const reply = await ana.get('/clients');
    expect(reply.status).toBe(200);
    expect(reply.body.data.map(({ name }: Json) => name)).toEqual([
      'apple tree',
      'ÄPFEL',
      'Banana Republic',
      'Apple & Sons',
    ]);
    expect(reply.body.meta).toEqual({ total: 4, limit: 50, offset: 0 });
    expect(reply.headers.has('link')).toBe(false);
  });

  it("lists no other organization's clients", async () => {
    const eve = await given.user();
    expect((await eve.get('/clients')).body).toEqual({ data: [], meta: { total: 0, limit: 50, offset: 0 } });
  });

  it('finds a part of the name, the contact or the e-mail address in any case, and of nothing else', async () => {
    expect(await names({ q: 'APPLE' })).toEqual(['apple tree', 'Banana Republic', 'Apple & Sons']);
    expect(await names({ q: 'äpf' })).toEqual(['ÄPFEL']);
    expect(await names({ q: 'zoë' })).toEqual(['Apple & Sons']);
    expect(await names({ q: 'cherry' })).toEqual([]);
    expect(await names({ q: '' })).toHaveLength(4);
  });

  it('pages without skipping or repeating, and past the end', async () => {
    const pages = [];
    for (const offset of [0, 3, 6]) pages.push(await names({ limit: 3, offset }));
    expect(pages).toEqual([['apple tree', 'ÄPFEL', 'Banana Republic'], ['Apple & Sons'], []]);
    expect(await names({ q: 'apple', limit: 1, offset: 2 })).toEqual(['Apple & Sons']);
    expect((await ana.get('/clients', { q: 'apple', limit: 1, offset: 2 })).body.meta).toEqual({
      total: 3,
      limit: 1,
      offset: 2,
    });
    expect(await names({ offset: Number.MAX_SAFE_INTEGER })).toEqual([]);
  });

  it('pages by offset also when it is asked to by name', async () => {
    expect(await names({ pagination: 'offset', limit: 1 })).toEqual(['apple tree']);
  });

  it.each([
    ['pagination', '', 'enum'],
    ['starting_after', 'x', 'superseded'],
    ['ending_before', 'x', 'superseded'],
  ])('refuses %s=%s', (name, value, code) => {
    expectQueryRefused(listClients, { [name]: value }, name, code);
  });
});
