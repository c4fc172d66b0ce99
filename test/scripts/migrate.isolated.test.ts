import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { migrate } from '#scripts/migration.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { createInvoice } from '#shared/contract/invoices/invoices.ts';
import { listProducts, searchProducts, updateProduct } from '#shared/contract/products/products.ts';
import { deleteEntry, getEntry, listEntries, updateEntry } from '#shared/contract/tracker/entries.ts';
import { getProject } from '#shared/contract/tracker/projects.ts';
import { summarizeEntries } from '#shared/contract/tracker/summary.ts';
import { database } from '#shared/data/dynamo/database.ts';
import { kindOf } from '#shared/data/dynamo/keys.ts';
import { LAYOUT } from '#shared/data/dynamo/layout.ts';
import { ledgerSums, recount, storedEntries } from '#test/support/bulk-entries.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';
import { entriesOf, layout1Items, tableOf, withoutYears } from '#test/support/layout-1.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';

const own = useOwnCloud();

const OLD = layout1Items();

const called = (kind: string, name: string, attribute = 'name'): Json =>
  OLD.find((item) => kindOf(item.pk) === kind && item[attribute] === name);

const acme = called('ORGANIZATIONS', 'Acme');
const borg = called('ORGANIZATIONS', 'Borg');
const atlas = called('PROJECT', 'Atlas');
const kyoto = called('PROJECT', 'Kyoto');
const northwind = called('CLIENT', 'Northwind');
const deleted = OLD.filter(({ pk }) => kindOf(pk) === 'UNLINKING');
const names = new Map(
  [...OLD.filter(({ pk }) => kindOf(pk) === 'CLIENT'), ...deleted].map(({ id, name }) => [id, name]),
);

const printed: string[] = [];

/** So few items at a time that the table is read in several steps. */
const run = () => migrate({ print: (line) => printed.push(line), itemsPerPage: 30 });

const table = () => tableOf(own.cloud);

/** A run leaves its id until the end. */
const contents = async () => (await table().dump()).map(({ run: _, ...item }) => item);

afterEach(() => {
  vi.restoreAllMocks();
  printed.length = 0;
});

/** What lists are compared by. */
const pick = ({ id, entryDate, description, durationMinutes, source, projectId, clientId, clientLabel }: Json) => ({
  ...{ id, entryDate, description, durationMinutes, source, projectId, clientId, clientLabel },
});

/** An entry of layout 1 as the API shows it: links to what was deleted count as removed, whether they were or not. */
function shown(entry: Json): Json {
  const alive = (id: string | null) => (deleted.some((each) => each.id === id) ? null : id);
  return pick({
    ...entry,
    entryDate: `${entry.entryDate}T00:00:00.000Z`,
    projectId: alive(entry.projectId),
    clientId: alive(entry.clientId),
    clientLabel: names.get(entry.clientId) ?? entry.clientLabel,
  });
}

const byId = (one: Json, other: Json) => (one.id < other.id ? -1 : 1);

const minutesOf = (entries: readonly Json[]) => entries.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0);

describe.each([
  ['layout 1', OLD],
  ['layout 1 before it had a ledger by year', withoutYears(OLD)],
])('a migrated table of %s', (_, items) => {
  const entries = entriesOf(items, acme.id);
  let ana: User;

  beforeAll(async () => {
    await table().fill(items);
    await run();
    ana = await given.user({ organization: acme });
  });

  it('has all entries as they were, and a ledger that equals a recount of them', async () => {
    expect(await table().layout()).toBe(LAYOUT);
    for (const organization of [acme, borg]) {
      const by = await given.user({ organization });
      const expected = entriesOf(items, organization.id);
      const ids = expected.map(({ id }) => id);
      expect(await storedEntries(by, ids)).toEqual(new Map(expected.map((entry) => [entry.id, entry])));
      expect(await ledgerSums(by)).toEqual(recount(expected));
    }
  });

  it('keeps the names of what was deleted, and nothing that is to be unlinked', async () => {
    const kept = await contents();
    const named = ({ id, name }: Json) => ({ id, name });
    const ofKind = (kind: string) => kept.filter(({ pk }) => kindOf(pk) === kind);
    expect(ofKind('DELETED').map(named).sort(byId)).toEqual(deleted.map(named).sort(byId));
    expect(ofKind('UNLINKING')).toEqual([]);
  });

  it.each<[string, Json, (entry: Json) => boolean]>([
    ['nothing', {}, () => true],
    ['a project', { projectId: atlas.id }, ({ projectId }) => projectId === atlas.id],
    ['a client', { clientId: northwind.id }, ({ clientId }) => clientId === northwind.id],
    ['a deleted client', { clientId: called('UNLINKING', 'Gone & Co').id }, () => false],
    ['a source', { source: 'remote_api' }, ({ source }) => source === 'remote_api'],
    ['the name of a deleted client', { q: 'gone' }, ({ clientLabel }) => /gone/i.test(clientLabel)],
    ['a day', { dateFrom: '2026-01-01', dateTo: '2026-01-01' }, ({ entryDate }) => entryDate.startsWith('2026-01-01')],
  ])('lists the entries by %s', async (_name, query, isWanted) => {
    const { data, meta } = await invoke(listEntries, ana, { query: { limit: '200', ...query } });
    const expected = entries.map(shown).filter(isWanted);
    expect(data.map(pick).sort(byId)).toEqual(expected.sort(byId));
    expect(meta.total).toBe(expected.length);
  });

  it('lists and finds the products, which can be changed', async () => {
    const named = async (endpoint: Endpoint, query: Record<string, string>) => {
      const { data, meta } = await invoke(endpoint, ana, { query });
      expect(meta.total).toBe(data.length);
      return data.map(({ name }: Json) => name);
    };
    expect(await named(listProducts, {})).toEqual(['Hosting', 'Consulting']);
    expect(await named(listProducts, { includeInactive: 'true' })).toEqual(['Retired', 'Hosting', 'Consulting']);
    expect(await named(searchProducts, { q: 's-1' })).toEqual(['Hosting']);
    const { id } = called('PRODUCT', 'Retired');
    const change = { params: { id }, body: { isActive: true } };
    expect((await invoke(updateProduct, ana, change)).data).toMatchObject({ name: 'Retired', price: '12.50' });
    expect(await named(listProducts, {})).toEqual(['Retired', 'Hosting', 'Consulting']);
    await invoke(updateProduct, ana, { params: { id }, body: { isActive: false } });
  });

  it('shows each entry by its id, and the invoice that bills it', async () => {
    for (const { id, invoiceId, ...entry } of entries) {
      const { data } = await invoke(getEntry, ana, { params: { id } });
      expect(pick(data)).toEqual(shown({ id, ...entry }));
      expect(data.invoiceId).toBe(invoiceId);
    }
    const invoiced = entries.filter(({ invoiceId }) => invoiceId !== null);
    expect(invoiced).toHaveLength(1);
    const change = { params: { id: invoiced[0]?.id ?? '' }, body: { description: 'Other' } };
    expect(await invoke(updateEntry, ana, change)).toMatchObject({ status: 409, code: 'entry_invoiced' });
  });

  it.each([
    ['2025-01-01', '2026-12-31'],
    ['2025-12-31', '2026-01-30'],
    ['2026-01-01', '2026-01-31'],
  ])('summarizes %s to %s', async (dateFrom, dateTo) => {
    const { data } = await invoke(summarizeEntries, ana, { query: { dateFrom, dateTo } });
    const expected = entries.filter(({ entryDate }) => entryDate >= dateFrom && entryDate <= dateTo);
    expect(data.trackedMinutes).toBe(minutesOf(expected));
    expect(data.totalMinutes).toBe(minutesOf(expected.filter(({ billable }) => billable)));
    const ofAtlas = expected.filter(({ projectId }) => projectId === atlas.id);
    expect(data.byProject).toContainEqual(
      expect.objectContaining({ projectId: atlas.id, trackedMinutes: minutesOf(ofAtlas) }),
    );
  });

  it('leaves the totals of projects as they were', async () => {
    for (const { id, totalMinutes } of [atlas, kyoto]) {
      const { data } = await invoke(getProject, ana, { params: { id } });
      expect(data.totalMinutes).toBe(totalMinutes);
    }
  });

  it('takes changes, and bills what is unbilled', async () => {
    const [moved, removed, billed] = ['Dug', 'Fax', 'Ship'].map((each) => called('ENTRY', each, 'description').id);
    const changes = [
      await invoke(updateEntry, ana, { params: { id: moved }, body: { entryDate: '2026-02-28', clientId: null } }),
      await invoke(deleteEntry, ana, { params: { id: removed } }),
    ];
    expect(changes.map(({ status }) => status)).toEqual([200, 200]);
    const timeEntries = { dateFrom: '2026-01-01', dateTo: '2026-01-31', projectId: atlas.id, groupBy: 'day' };
    const { data } = await invoke(createInvoice, ana, { body: { clientId: northwind.id, timeEntries } });
    expect(data.total).toBe('999.90');
    const now = [
      ...(
        await storedEntries(
          ana,
          entries.map(({ id }) => id),
        )
      ).values(),
    ];
    expect(now.filter(({ invoiceId }) => invoiceId === data.id).map(({ id }) => id)).toEqual([billed]);
    expect(await ledgerSums(ana)).toEqual(recount(now));
  });
});

class Death extends Error {}

/** Dies before or after one of its calls to the table, or not at all where it has fewer. */
async function runAndDie(call: number, isDone: boolean): Promise<boolean> {
  const send = database.send.bind(database);
  let calls = 0;
  const spy = vi.spyOn(database, 'send').mockImplementation(async (command: Parameters<typeof send>[0]) => {
    const isNow = calls++ === call;
    if (isNow && !isDone) throw new Death();
    const output = await send(command);
    if (isNow) throw new Death();
    return output;
  });
  const outcome = await run().catch((error: unknown) => error);
  spy.mockRestore();
  if (outcome !== undefined && !(outcome instanceof Death)) throw outcome;
  return outcome instanceof Death;
}

/** Enough for every kind of write; each run takes a while. */
const SOME = withoutYears(OLD).filter(({ pk }) =>
  ['ENTRY', 'LEDGER', 'ORGANIZATIONS', 'UNLINKING'].includes(kindOf(pk)),
);

describe('a migration', () => {
  const migrated = async () => {
    await table().fill(SOME);
    await run();
    return contents();
  };

  it('ends the same wherever it was killed, and started again', async () => {
    const expected = await migrated();
    for (let call = 0, hasDied = true; hasDied; call++) {
      for (const isDone of [false, true]) {
        await table().fill(SOME);
        hasDied = await runAndDie(call, isDone);
        await run();
        expect(await contents(), `call ${call}`).toEqual(expected);
      }
    }
  });

  it('refuses to serve from its first write to its last', async () => {
    const layouts: unknown[] = [];
    await table().fill(SOME);
    const look = async () => layouts.push(await table().layout());
    beforeCalls((command) => command instanceof TransactWriteCommand, Array(20).fill(look));
    await run();
    expect([...new Set(layouts)]).toEqual([undefined, 1]);
    expect(await table().layout()).toBe(LAYOUT);
  });

  it('changes nothing the second time', async () => {
    const expected = await migrated();
    printed.length = 0;
    await run();
    expect(await contents()).toEqual(expected);
    expect(printed).toEqual([`The table ${own.cloud.tableName} has layout ${LAYOUT}.`]);
  });

  it('that was taken for dead writes nothing once another has begun', async () => {
    const expected = await migrated();
    await table().fill(SOME);
    beforeCalls((command) => command instanceof TransactWriteCommand, [async () => {}, async () => {}, run]);
    await expect(run()).rejects.toThrow('Another run has begun');
    expect(await contents()).toEqual(expected);
  });

  it('leaves a table of a newer layout alone', async () => {
    await table().fill(SOME);
    await table().sayLayout(LAYOUT + 1);
    const before = await contents();
    await expect(run()).rejects.toThrow(`has layout ${LAYOUT + 1}`);
    expect(await contents()).toEqual(before);
  });
});
