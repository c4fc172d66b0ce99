import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { listProjects } from '#shared/contract/tracker/list-projects.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';
import { expectQueryRefused } from '#test/support/refusals.ts';

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
    return body.data.map(({ name }: Json) => name);
  };

  it('lists all projects, newest first, fifty at the most, with the total', async () => {
    const { body } = await ana.get(PATH);
    expect(body.data.map(({ name }: Json) => name)).toEqual(['Five', 'Four', 'Three', 'Two', 'One']);
    expect(body.meta).toEqual({ total: 5, limit: 50, offset: 0 });
  });

  it('shows each project as it is shown alone', async () => {
    const { body } = await ana.get(PATH, { limit: 1 });
    expect((await ana.get(`${PATH}/${body.data[0].id}`)).body.data).toEqual(body.data[0]);
  });

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

  it('searches no more than a list without filter may look through, for the same read units', async () => {
    const read = (query: Record<string, string>) => costOf(() => invoke(listProjects, ana, { query }));
    await read({});
    const [byStatus, byText] = [await read({ status: 'completed' }), await read({ q: 'o' })];
    expect(byText.readUnits).toBe(byStatus.readUnits);
  });

  it('finds nothing by a client of another organization, as by one that does not exist', async () => {
    const eve = await given.user();
    const foreign = await given.client(eve);
    for (const clientId of [foreign.id, randomUUID()]) {
      const { status, body } = await ana.get(PATH, { clientId });
      expect(status).toBe(200);
      expect(body).toEqual({ data: [], meta: { total: 0, limit: 50, offset: 0 } });
    }
  });

  it('pages without skipping or repeating, and past the end', async () => {
    const pages = [];
    for (const offset of [0, 2, 4, 6]) pages.push(await names({ limit: 2, offset }));
    expect(pages).toEqual([['Five', 'Four'], ['Three', 'Two'], ['One'], []]);
    expect((await ana.get(PATH, { limit: 2, offset: 6 })).body.meta).toEqual({ total: 5, limit: 2, offset: 6 });
  });

  it('pages through the matches of a filter, and counts them all', async () => {
    const { body } = await ana.get(PATH, { status: 'completed', limit: 1, offset: 1 });
    expect(body.data.map(({ name }: Json) => name)).toEqual(['Two']);
    expect(body.meta).toEqual({ total: 2, limit: 1, offset: 1 });
  });

  it('shows what was just written', async () => {
    const bea = await given.user();
    for (let count = 1; count <= 10; count++) {
      const { id } = await given.project(bea);
      const { body } = await bea.get(PATH);
      expect(body.meta.total).toBe(count);
      expect(body.data[0].id).toBe(id);
    }
  });

  it("lists no other organization's projects", async () => {
    const eve = await given.user();
    expect((await eve.get(PATH)).body).toEqual({ data: [], meta: { total: 0, limit: 50, offset: 0 } });
  });

  it.each([
    ['status', '', 'enum'],
    ['starting_after', 'x', 'superseded'],
  ])('refuses %s=%s', (name, value, code) => {
    expectQueryRefused(listProjects, { [name]: value }, name, code);
  });

  it('accepts the limits of its limits', async () => {
    expect((await ana.get(PATH, { limit: 1 })).body.data).toHaveLength(1);
    expect((await ana.get(PATH, { limit: 200 })).status).toBe(200);
  });
});
