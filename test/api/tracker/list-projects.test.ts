import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const PATH = '/v1/work/tracker/projects';

describe(`GET ${PATH}`, () => {
  let ana: User;
  let acme: Json;

  beforeAll(async () => {
    ana = await given.user();
    acme = await given.client(ana);
    await given.project(ana, { name: 'One' });
    await given.project(ana, { name: 'Two', status: 'completed', clientId: acme.id });
    await given.project(ana, { name: 'Three', status: 'archived' });
    await given.project(ana, { name: 'Four', clientId: acme.id });
    await given.project(ana, { name: 'Five', status: 'completed' });
  });

  const names = async (query: Record<string, string | number> = {}) => {
    const { body } = await ana.get(PATH, query);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ name }: Json) => name);
  };

  it('filters by status, by client, and by both', async () => {
    expect(await names({ status: 'completed' })).toEqual(['Five', 'Two']);
    expect(await names({ clientId: acme.id })).toEqual(['Four', 'Two']);
    expect(await names({ clientId: acme.id.toUpperCase() })).toEqual(['Four', 'Two']);
    expect(await names({ clientId: acme.id, status: 'completed' })).toEqual(['Two']);
    expect(await names({ clientId: acme.id, status: 'archived' })).toEqual([]);
  });

  it('searches names, codes and the names of clients, in any case, with all other filters', async () => {
    const bea = await given.user();
    const globex = await given.client(bea, { name: 'Globex' });
    await given.project(bea, { name: 'Website' });
    await given.project(bea, { name: 'Shop', code: 'WEB-2', status: 'archived' });
    await given.project(bea, { name: 'Straße', clientId: globex.id });
    const found = async (query: Record<string, string>) => {
      const { data, meta } = (await bea.get(PATH, query)).body;
      return [data.map(({ name }: Json) => name).join(), meta.total];
    };
    expect(await found({ q: 'wEb' })).toEqual(['Shop,Website', 2]);
    expect(await found({ q: 'web', limit: '1', offset: '1' })).toEqual(['Website', 2]);
    expect(await found({ q: 'web', status: 'archived' })).toEqual(['Shop', 1]);
    expect(await found({ q: 'STRASSE' })).toEqual(['Straße', 1]);
    expect(await found({ q: 'glob' })).toEqual(['Straße', 1]);
    expect(await found({ q: 'glob', clientId: globex.id })).toEqual(['Straße', 1]);
    expect(await found({ q: 'web', clientId: globex.id })).toEqual(['', 0]);
    expect(await found({ q: 'nowhere' })).toEqual(['', 0]);
    expect(await found({ q: '' })).toEqual(['Straße,Shop,Website', 3]);
    await bea.patch(`/clients/${globex.id}`, { name: 'Initech' });
    expect([await found({ q: 'glob' }), await found({ q: 'initech' })]).toEqual([
      ['', 0],
      ['Straße', 1],
    ]);
    await bea.delete(`/clients/${globex.id}`);
    expect(await found({ q: 'initech' })).toEqual(['', 0]);
  });
});
