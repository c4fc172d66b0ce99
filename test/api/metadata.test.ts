import { beforeAll, describe, expect, it } from 'vitest';
import { readMetadata } from '#shared/data/tracker/entry-metadata.ts';
import { request } from '#test/support/api.ts';
import type { Client, Json } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';

/** `metadata` of products, clients, projects, entries and invoices. */

const ENTRIES = '/v1/work/tracker/entries';
const REMOTE = '/v1/work/tracker/remote/sync';

interface Kind {
  readonly path: string;
  readonly make: (by: Client, values?: Readonly<Record<string, unknown>>) => Promise<Json>;
}

const KINDS: readonly (readonly [string, Kind])[] = [
  ['product', { path: '/products', make: given.product }],
  ['client', { path: '/clients', make: given.client }],
  ['project', { path: '/v1/work/tracker/projects', make: given.project }],
  ['entry', { path: ENTRIES, make: given.entry }],
  ['invoice', { path: '/invoices', make: given.invoice }],
];

/** 8,145 bytes of JSON, of 8,192. */
const LARGEST = Object.fromEntries(
  Array.from({ length: 16 }, (_, i) => [`n${String(i).padStart(2, '0')}`, 'x'.repeat(500)]),
);

describe.each(KINDS)('the metadata of one %s', (_, { path, make }) => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  const patch = (id: string, metadata: unknown) => ana.patch(`${path}/${id}`, { metadata });
  const shown = async (id: string) => (await ana.get(`${path}/${id}`)).body.data.metadata;

  it('are none unless they are given, and lack a name that is null', async () => {
    expect((await make(ana)).metadata).toEqual({});
    expect((await make(ana, { metadata: null })).metadata).toEqual({});
    const { id, metadata } = await make(ana, { metadata: { b: '', a: '1', c: null } });
    expect(metadata).toEqual({ a: '1', b: '' });
    expect(await shown(id)).toEqual(metadata);
    expect((await ana.get(path)).body.data.find((each: Json) => each.id === id).metadata).toEqual(metadata);
  });

  it('merge by name: null removes one, or all; and change the tag and the time of change', async () => {
    const { id, updatedAt } = await make(ana, { metadata: { a: '1', b: '2' } });
    const tagOf = async () => (await ana.get(`${path}/${id}`)).headers.get('etag');
    const tag = await tagOf();
    const changed = (await patch(id, { b: null, c: '3' })).body.data;
    expect(changed.metadata).toEqual({ a: '1', c: '3' });
    expect(changed.updatedAt > updatedAt).toBe(true);
    expect(await shown(id)).toEqual({ a: '1', c: '3' });
    expect(await tagOf()).not.toBe(tag);
    expect((await patch(id, {})).body.data.metadata).toEqual({ a: '1', c: '3' });
    expect((await patch(id, null)).body.data.metadata).toEqual({});
    expect(await shown(id)).toEqual({});
  });

  it('that are sent as they are change nothing, and leave no event', async () => {
    const { id, metadata, updatedAt } = await make(ana, { metadata: { a: '1' } });
    const after = await presentEnd(ana);
    expect((await patch(id, { ...metadata, b: null })).body.data).toMatchObject({ metadata, updatedAt });
    expect(await happenedSince(ana, after)).toEqual([]);
  });

  it('have all of the names that twenty change at once', async () => {
    const { id } = await make(ana);
    const names = Array.from({ length: 20 }, (_, i) => `n${i}`);
    const replies = await Promise.all(names.map((name) => patch(id, { [name]: name })));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await shown(id)).toEqual(Object.fromEntries(names.map((name) => [name, name])));
  });

  it('may have any of these names, in the order of their code points', async () => {
    const names = ['-', '.', '10', '9', 'A', '_', '__proto__', 'a', 'constructor', 'prototype', 'toString'];
    const sent = JSON.stringify(Object.fromEntries(names.toReversed().map((name) => [name, name])));
    const { id } = await make(ana);
    const { headers } = await ana.send('PATCH', `${path}/${id}`, { rawBody: `{"metadata":${sent}}` });
    expect(headers.get('billwright-ignored')).toBeNull();
    const authorization = `Bearer ${ana.apiKey}`;
    for (const at of [`${path}/${id}`, path]) {
      const reply = await request((url) => fetch(url + at, { headers: { authorization } }));
      const written = (await reply.text()).match(/"metadata":{("-"[^}]*)}/)?.[1];
      expect(written).toBe(names.map((name) => `"${name}":"${name}"`).join());
    }
  });

  it('take 8 KB, and no more; a refusal changes nothing', async () => {
    const { id } = await make(ana, { metadata: LARGEST });
    expect(await shown(id)).toEqual(LARGEST);
    const refused = [
      { more: 'x'.repeat(100) },
      { 'x y': '1' },
      { ['x'.repeat(41)]: '1' },
      { long: 'x'.repeat(501) },
      { control: '\u0000' },
      { number: 1 },
    ];
    for (const metadata of refused) {
      const reply = await patch(id, metadata);
      expect(reply, JSON.stringify(metadata)).toMatchObject({ status: 422, body: { errors: [{ path: 'metadata' }] } });
    }
    expect(await shown(id)).toEqual(LARGEST);
  });
});

describe('metadata of what is final', () => {
  it('change on a sent invoice and its entries, and nothing else does', async () => {
    const ana = await given.user();
    const client = await given.client(ana, { metadata: { of: 'client' } });
    const entry = await given.entry(ana, { clientId: client.id, rate: 60, metadata: { of: 'entry' } });
    const timeEntries = { dateFrom: '2026-11-20', dateTo: '2026-11-20', groupBy: 'entry' };
    const draft = await given.invoice(ana, { clientId: client.id, timeEntries });
    expect(JSON.stringify(draft)).not.toMatch(/"of"/);
    await ana.post(`/invoices/${draft.id}/send`);
    for (const path of [`/invoices/${draft.id}`, `${ENTRIES}/${entry.id}`]) {
      const changed = await ana.patch(path, { metadata: { late: 'yes' } });
      expect(changed).toMatchObject({ status: 200, body: { data: { metadata: { late: 'yes' } } } });
      const other = path.startsWith('/invoices') ? { notes: 'x' } : { description: 'x' };
      expect((await ana.patch(path, { metadata: { late: 'no' }, ...other })).status).toBe(409);
      expect((await ana.get(path)).body.data.metadata.late).toBe('yes');
    }
    const present = (await ana.get(`${ENTRIES}/${entry.id}`)).body.data;
    expect(present).toMatchObject({ billingStatus: 'invoiced', invoiceId: draft.id, metadata: { of: 'entry' } });
  });
});

describe('metadata of entries', () => {
  it('stay with an entry that moves, and go with it', async () => {
    const ana = await given.user();
    const { id } = await given.entry(ana, { metadata: { a: '1' } });
    const client = await given.client(ana);
    await ana.patch(`${ENTRIES}/${id}`, { entryDate: '2026-11-21', clientId: client.id });
    expect((await ana.get(ENTRIES)).body.data).toMatchObject([{ id, metadata: { a: '1' } }]);
    expect((await ana.delete(`${ENTRIES}/${id}`)).status).toBe(200);
    expect((await ana.get(ENTRIES)).body.data).toEqual([]);
  });

  it('leave nothing behind when they go, nor when their entry does', async () => {
    const ana = await given.user();
    const stored = async (id: string) => (await readMetadata(ana.organization.id, [{ id, hasMetadata: true }])).size;
    const { id } = await given.entry(ana, { metadata: { a: '1' } });
    await ana.patch(`${ENTRIES}/${id}`, { metadata: { a: null } });
    expect(await stored(id)).toBe(0);
    await ana.patch(`${ENTRIES}/${id}`, { metadata: { b: '2' } });
    expect(await stored(id)).toBe(1);
    await ana.delete(`${ENTRIES}/${id}`);
    expect(await stored(id)).toBe(0);
  });

  it('of an import stay when it comes again, are no edit to an undo, and go with it', async () => {
    const ana = await given.user();
    await given.connection(ana);
    const row = { date: '2026-11-20', durationMinutes: 60, externalId: '1' };
    const confirm = async (durationMinutes: number) =>
      ana.post(`${REMOTE}/confirm`, { rows: [{ ...row, durationMinutes }], updateChanged: true });
    const { importJobId } = (await confirm(60)).body.data;
    const [{ id }] = (await ana.get(ENTRIES)).body.data;
    await ana.patch(`${ENTRIES}/${id}`, { metadata: { a: '1' } });
    await confirm(90);
    expect((await ana.get(`${ENTRIES}/${id}`)).body.data).toMatchObject({ durationMinutes: 90, metadata: { a: '1' } });
    const undone = await ana.post(`${REMOTE}/history/${importJobId}/undo`);
    expect(undone.body.data).toMatchObject({ removedCount: 1, keptEditedCount: 0 });
    expect(await readMetadata(ana.organization.id, [{ id, hasMetadata: true }])).toEqual(new Map());
    await confirm(60);
    expect((await ana.get(ENTRIES)).body.data).toMatchObject([{ id, metadata: {} }]);
  });
});
