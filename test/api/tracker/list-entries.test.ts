import { beforeAll, describe, expect, it } from 'vitest';
import type { Json, Sending } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const path = '/v1/work/tracker/entries';

describe('GET /v1/work/tracker/entries', () => {
  let ana: User;
  let client: Json;
  let project: Json;

  beforeAll(async () => {
    ana = await given.user();
    client = await given.client(ana, { name: 'Hooli GmbH' });
    project = await given.project(ana, { name: 'Site' });
    await given.entry(ana, { description: 'a', entryDate: '2026-01-31' });
    await given.entry(ana, { description: 'b', entryDate: '2026-02-01', startTime: '09:00', endTime: '10:00' });
    await given.entry(ana, {
      description: 'c',
      entryDate: '2026-02-01',
      startTime: '08:00',
      endTime: '09:00',
      projectId: project.id,
    });
    await given.entry(ana, { description: 'd', entryDate: '2026-02-01', billable: false });
    await given.entry(ana, { description: 'e Needle', entryDate: '2026-02-01', clientId: client.id });
    await given.entry(ana, {
      description: 'f',
      entryDate: '2026-03-15',
      projectId: project.id,
      clientId: client.id,
      currency: 'EUR',
    });
  });

  const found = async (query: Sending['query'] = {}) =>
    (await ana.get(path, query)).body.data.map(({ description }: Json) => description[0]).join('');

  it('lists by date, then start, then creation, newest first', async () => {
    expect(await found()).toBe('fbceda');
    expect((await ana.get(path)).body.meta).toEqual({ total: 6, limit: 50, offset: 0 });
  });

  it.each([
    [{ dateFrom: '2026-02-01' }, 'fbced'],
    [{ dateTo: '2026-02-01' }, 'bceda'],
    [{ dateFrom: '2026-02-01', dateTo: '2026-02-01' }, 'bced'],
    [{ dateFrom: '2026-02-02', dateTo: '2026-03-14' }, ''],
    [{ billable: false }, 'd'],
    [{ billable: true }, 'fbcea'],
    [{ source: 'native_tracker' }, 'fbceda'],
    [{ source: 'remote_api' }, ''],
    [{ source: 'elsewhere' }, ''],
    [{ q: 'NEEDLE' }, 'e'],
    [{ q: 'hooli' }, 'fe'],
    [{ q: 'nothing' }, ''],
    [{ q: '' }, 'fbceda'],
    [{ q: 'hooli', dateTo: '2026-02-28' }, 'e'],
  ])('filters by %o', async (query, expected) => {
    expect(await found(query)).toBe(expected);
    expect((await ana.get(path, query)).body.meta.total).toBe(expected.length);
  });

  it('filters by project and client, alone and combined with the rest', async () => {
    expect(await found({ projectId: project.id })).toBe('fc');
    expect(await found({ clientId: client.id })).toBe('fe');
    expect(await found({ projectId: project.id, clientId: client.id })).toBe('f');
    expect(await found({ projectId: project.id, billable: true, source: 'native_tracker', dateTo: '2026-02-28' })).toBe(
      'c',
    );
    expect(await found({ projectId: project.id, q: 'c' })).toBe('c');
  });

  it("finds nothing by another organization's ids", async () => {
    const eve = await given.user();
    expect(await found({ projectId: (await given.project(eve)).id })).toBe('');
    expect(await found({ clientId: (await given.client(eve)).id })).toBe('');
  });

  it('pages without skipping or repeating, with filters and q too, and past the end', async () => {
    for (const query of [{}, { dateFrom: '2026-02-01' }, { billable: true }, { q: 'e' }]) {
      const all = await found(query);
      for (const limit of [1, 2, 3]) {
        let walked = '';
        for (let offset = 0; offset < all.length; offset += limit) walked += await found({ ...query, limit, offset });
        expect(walked).toBe(all);
      }
    }
    expect((await ana.get(path, { offset: Number.MAX_SAFE_INTEGER })).body).toMatchObject({
      data: [],
      meta: { total: 6 },
    });
  });

  it.each([
    ['limit', '201', 'range'],
    ['limit', '0', 'range'],
    ['offset', '-1', 'range'],
    ['dateFrom', '2026-02-30', 'date'],
    ['projectId', 'x', 'format'],
    ['billable', '1', 'type'],
    ['q', 'x'.repeat(201), 'length'],
    ['starting_after', 'x', 'superseded'],
  ])('refuses %s=%s', async (name, value, code) => {
    const reply = await ana.get(path, { [name]: value });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual([{ path: name, message: expect.any(String), code }]);
  });

  it('answers 400 to a range that ends before it begins', async () => {
    const reply = await ana.get(path, { dateFrom: '2026-02-02', dateTo: '2026-02-01' });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'invalid_date_range', errors: [{ path: 'dateFrom' }] });
  });
});
