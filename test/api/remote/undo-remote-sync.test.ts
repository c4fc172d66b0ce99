import { describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { eventsOf, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';

const REMOTE = '/v1/work/tracker/remote';
const ENTRIES = '/v1/work/tracker/entries';

const row = (values: Json = {}): Json => ({ date: '2026-11-02', durationMinutes: 30, ...values });

async function imported(by: User, rows: readonly Json[], values: Json = {}): Promise<string> {
  const { status, body } = await by.post(`${REMOTE}/sync/confirm`, { rows, ...values });
  expect(status).toBe(200);
  return body.data.importJobId;
}

const undo = (by: User, id: string, query: Json = {}) =>
  by.send('POST', `${REMOTE}/sync/history/${id}/undo`, { query });

async function connectedUser(): Promise<User> {
  const by = await given.user();
  await given.connection(by);
  return by;
}

async function entriesOf(by: User): Promise<Json[]> {
  return (await by.get(ENTRIES, { limit: 200 })).body.data;
}

const statusOf = async (by: User): Promise<string> => (await by.get(`${REMOTE}/sync/history`)).body.data[0].status;

describe('undoing an import', () => {
  it('removes its entries, whose rows can then be imported again, and leaves events of whoever undoes it', async () => {
    const ana = await connectedUser();
    const project = await given.project(ana);
    const rows = Array.from({ length: 120 }, (_, i) => row({ externalId: `${i}`, project: 'P' }));
    const mapping = { projectMapping: { P: project.id } };
    const id = await imported(ana, rows, mapping);
    const entryIds = (await entriesOf(ana)).map((entry) => entry.id);
    const ben = await given.user({ organization: ana.organization });
    const end = await presentEnd(ana);
    await undo(ben, id, { dryRun: true });
    const { status, body } = await undo(ben, id);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: { importJobId: id, removedCount: 120, keptInvoicedCount: 0, keptEditedCount: 0, keptLockedCount: 0 },
    });
    expect(await entriesOf(ana)).toEqual([]);
    expect((await ana.get(`/v1/work/tracker/projects/${project.id}`)).body.data.totalMinutes).toBe(0);
    expect(await statusOf(ana)).toBe('undone');
    const events = await eventsOf(ana, end);
    expect(events.map(({ type }) => type)).toEqual([...Array(3).fill('entries.removed'), 'import.undone']);
    const actor = { userId: ben.userId, keyId: ben.keyId, via: 'api_key' };
    for (const { data } of events) expect(data).toMatchObject({ object: { type: 'import', id }, actor });
    expect(events.flatMap(({ data }) => data.entryIds ?? []).sort()).toEqual(entryIds.sort());
    await imported(ana, rows, mapping);
    expect((await ana.get(ENTRIES)).body.meta.total).toBe(120);
  });

  it('keeps what was edited since, and what is not its own', async () => {
    const ana = await connectedUser();
    const own = await given.entry(ana);
    const id = await imported(ana, [row({ externalId: '1' }), row({ externalId: '2' })]);
    const [edited] = (await entriesOf(ana)).filter(({ source }) => source === 'remote_api');
    await imported(ana, [row({ externalId: '2' }), row({ externalId: '3', description: 'Of the other' })]);
    expect((await ana.patch(`${ENTRIES}/${edited?.id}`, { description: 'Mine now' })).status).toBe(200);
    const counts = { removedCount: 1, keptInvoicedCount: 0, keptEditedCount: 1, keptLockedCount: 0 };
    expect((await undo(ana, id, { dryRun: true })).body.data).toEqual({ importJobId: id, ...counts });
    expect(await statusOf(ana)).toBe('imported');
    expect((await undo(ana, id)).body.data).toEqual({ importJobId: id, ...counts });
    const left = (await entriesOf(ana)).map(({ description }) => description);
    expect(left.sort()).toEqual([own.description, 'Mine now', 'Of the other'].sort());
  });

  it('keeps what is on an invoice, until the invoice lets go of it', async () => {
    const ana = await connectedUser();
    const client = await given.client(ana);
    const rows = [row({ externalId: '1', client: 'Acme', rate: 60 }), row({ externalId: '2' })];
    const id = await imported(ana, rows, { clientMapping: { Acme: client.id } });
    const timeEntries = { dateFrom: '2026-11-01', dateTo: '2026-11-30', groupBy: 'entry' };
    const { status, body } = await ana.post('/invoices', { clientId: client.id, timeEntries });
    expect(status).toBe(201);
    expect((await undo(ana, id, { dryRun: true })).body.data).toMatchObject({ removedCount: 1, keptInvoicedCount: 1 });
    expect((await ana.delete(`/invoices/${body.data.id}`)).status).toBe(200);
    expect((await undo(ana, id)).body.data).toMatchObject({ removedCount: 2, keptInvoicedCount: 0 });
    expect(await entriesOf(ana)).toEqual([]);
  });

  it('is a 409 the second time, in a dry run too', async () => {
    const ana = await connectedUser();
    const id = await imported(ana, [row()]);
    await undo(ana, id);
    const end = await presentEnd(ana);
    for (const query of [{}, { dryRun: true }]) {
      expect(await undo(ana, id, query)).toMatchObject({ status: 409, body: { code: 'import_not_undoable' } });
    }
    expect(await eventsOf(ana, end)).toEqual([]);
  });

  it('succeeds once, and removes each entry once, when it is asked for ten times at once', async () => {
    const ana = await connectedUser();
    const id = await imported(
      ana,
      Array.from({ length: 250 }, (_, i) => row({ externalId: `${i}` })),
    );
    const replies = await Promise.all(Array.from({ length: 10 }, () => undo(ana, id)));
    const won = replies.filter(({ status }) => status === 200);
    expect(won.map(({ body }) => body.data.removedCount)).toEqual([250]);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(9);
    expect((await ana.get(ENTRIES)).body.meta.total).toBe(0);
  });

  it('works without a connection, and where nothing was imported', async () => {
    const ana = await connectedUser();
    const id = await imported(ana, [row()]);
    const nothing = await imported(ana, [row()]);
    expect((await undo(ana, nothing)).body.data.removedCount).toBe(0);
    expect((await ana.delete(REMOTE)).status).toBe(200);
    expect((await undo(ana, id)).body.data.removedCount).toBe(1);
  });
});
