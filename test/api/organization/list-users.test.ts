import { describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

describe('GET /v1/users', () => {
  const namesOf = ({ body }: { body: Json }) => body.data.map(({ name }: Json) => name);

  it('finds users by their status, and by a part of the name or the email', async () => {
    const eve = await given.user({ name: 'Eve' });
    const flo = await given.colleague(eve, { name: 'Flo', email: 'FLO@acme.example' });
    await given.colleague(eve, { name: 'Gil Straße', email: 'gil@northwind.example' });
    await eve.delete(`/v1/users/${flo.id}`);
    const found = async (query: Readonly<Record<string, string | number>>) => {
      const reply = await eve.get('/v1/users', query);
      return { names: namesOf(reply), total: reply.body.meta.total };
    };
    expect(await found({})).toEqual({ names: ['Gil Straße', 'Flo', 'Eve'], total: 3 });
    expect(await found({ status: 'active' })).toEqual({ names: ['Gil Straße', 'Eve'], total: 2 });
    expect(await found({ status: 'active', limit: 1, offset: 1 })).toEqual({ names: ['Eve'], total: 2 });
    expect(await found({ status: 'removed' })).toEqual({ names: ['Flo'], total: 1 });
    expect(await found({ status: 'removed', offset: 1 })).toEqual({ names: [], total: 1 });
    expect(await found({ q: 'ACME' })).toEqual({ names: ['Flo'], total: 1 });
    expect(await found({ q: 'STRASSE' })).toEqual({ names: ['Gil Straße'], total: 1 });
    expect(await found({ q: 'acme', status: 'active' })).toEqual({ names: [], total: 0 });
    expect(await found({ q: '' })).toEqual({ names: ['Gil Straße', 'Flo', 'Eve'], total: 3 });
  });
});
