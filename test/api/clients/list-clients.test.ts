import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

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

  it('finds a part of the name, the contact or the e-mail address in any case, and of nothing else', async () => {
    expect(await names({ q: 'APPLE' })).toEqual(['apple tree', 'Banana Republic', 'Apple & Sons']);
    expect(await names({ q: 'äpf' })).toEqual(['ÄPFEL']);
    expect(await names({ q: 'zoë' })).toEqual(['Apple & Sons']);
    expect(await names({ q: 'cherry' })).toEqual([]);
    expect(await names({ q: '' })).toHaveLength(4);
    const { edges } = (await ana.get('/clients', { q: 'zoë', pagination: 'cursor' })).body;
    expect(edges).toMatchObject([{ node: { name: 'Apple & Sons' } }]);
    expect((await ana.get('/clients', { q: 'apple', limit: 1, offset: 2 })).body).toMatchObject({
      data: [{ name: 'Apple & Sons' }],
      meta: { total: 3, limit: 1, offset: 2 },
    });
  });
});
