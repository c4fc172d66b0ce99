import { GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { v7 as uuidV7 } from 'uuid';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readClients } from '#shared/data/clients/clients.ts';
import { readDirectory } from '#shared/data/directory/directory.ts';
import { readInvoices } from '#shared/data/invoices/invoices.ts';
import { countKey, deletedPartition, directoryPartition, type Key } from '#shared/data/layout/keys.ts';
import { readMatchingProducts, readProducts } from '#shared/data/products/product-list.ts';
import { productItem } from '#shared/data/products/product-rows.ts';
import { listImports } from '#shared/data/remote/imports.ts';
import { listBound, searchBound, startOf } from '#shared/data/table/collection.ts';
import { readRecentCount } from '#shared/data/table/counts.ts';
import { database } from '#shared/data/table/database.ts';
import { boundOfScan, boundOfSums } from '#shared/data/tracker/entry-counts.ts';
import { readProjects } from '#shared/data/tracker/projects.ts';
import { listSessions } from '#shared/data/tracker/timers.ts';
import { newProduct } from '#shared/domain/products/product.ts';

/**
 * Lists of an organization with more rows than anybody would write for a test: each response has many, and more follow.
 */

const organizationId = '01900000-0000-7000-8000-000000000001';
const userId = '01900000-0000-7000-8000-000000000002';
const ROWS_OF_A_RESPONSE = 20_000;
const TOTAL = 1_000_000;

const dynamo = mockClient(database);
afterAll(() => dynamo.restore());

beforeEach(() => {
  dynamo.reset();
  const counts = { all: TOTAL, active: TOTAL, running: 0, stopped: TOTAL, discarded: 0 };
  const directory = { earlier: 0, changes: [] };
  dynamo.on(GetCommand).resolves({ Item: { ...counts, ...directory } });
  dynamo.on(QueryCommand).callsFake(async ({ Limit = ROWS_OF_A_RESPONSE, ScanIndexForward, ...query }) => ({
    ...endless(Limit, query),
    ...(isReadWhole(query) && { LastEvaluatedKey: undefined }),
  }));
});

/** The directory and the names of deleted clients are no lists. */
function isReadWhole({ ExpressionAttributeValues = {} }: QueryCommandInput): boolean {
  const whole = [directoryPartition(organizationId), deletedPartition(organizationId)];
  return Object.values(ExpressionAttributeValues).some((value) => whole.includes(value));
}

function endless(limit: number, { Select }: { readonly Select?: string }) {
  const Count = Select === 'COUNT' ? limit : 0;
  return { Items: [], Count, ScannedCount: ROWS_OF_A_RESPONSE, LastEvaluatedKey: { pk: 'pk', sk: '0#1' } };
}

const TOO_MUCH = 'A list looks through at most 50000 rows and 20 MB, and this needs more.';
const TOO_DEEP = { code: 'range_too_large', details: { errors: [{ path: 'offset', message: TOO_MUCH }] } };

const page = { organizationId, limit: 50, offset: 0 };
const deep = { ...page, offset: TOTAL / 2 };
const order = { orderBy: 'createdAt', orderDirection: 'desc' } as const;
const now = new Date('2026-11-20');
const offsetPage = { ...order, pagination: 'offset' } as const;
const cursorPage = { ...order, pagination: 'cursor' } as const;

describe('a list that would have to look through more than 50,000 rows', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['products with q', () => readProducts({ ...page, includeInactive: false, q: 'x' })],
    ['a search of products', () => readMatchingProducts({ ...page, q: 'x' })],
    ['clients with q', () => readClients({ ...page, ...offsetPage, q: 'x' })],
    ['clients with q, by cursor', () => readClients({ ...page, ...cursorPage, q: 'x' })],
    ['invoices with q', () => readInvoices({ ...page, now, ...offsetPage, q: 'x' })],
    ['invoices with q, by cursor', () => readInvoices({ ...page, now, ...cursorPage, q: 'x' })],
    ['invoices of a status', () => readInvoices({ ...page, now, ...offsetPage, status: ['paid'] })],
    ['invoices of a status, by cursor', () => readInvoices({ ...page, now, ...cursorPage, status: ['paid'] })],
    ['projects of a status', () => readProjects({ ...page, status: 'in_progress' })],
    ['timer sessions of a rare status', () => listSessions({ organizationId, userId }, { ...page, status: 'stopped' })],
    ['deep products', () => readProducts({ ...deep, includeInactive: false })],
    ['deep clients', () => readClients({ ...deep, ...offsetPage })],
    ['deep invoices', () => readInvoices({ ...deep, now, ...offsetPage })],
    ['deep projects', () => readProjects(deep)],
    ['deep timer sessions', () => listSessions({ organizationId, userId }, deep)],
    ['a deep history', () => listImports(organizationId, deep)],
  ])('is refused: %s', async (_, read) => {
    await expect(read()).rejects.toMatchObject({ code: 'range_too_large' });
    // Of a search, sixteen ranges are looked through side by side.
    expect(dynamo.commandCalls(QueryCommand).length).toBeLessThanOrEqual(1 + 16 * 3);
  });
});

describe('the rows that a list looks through', () => {
  it.each([
    ['of a list', listBound, { ScannedCount: 50_000 }],
    ['of a search', searchBound, { ScannedCount: 50_000 }],
    ['of a list', listBound, { ConsumedCapacity: { CapacityUnits: 5_000 } }],
    ['of a search', searchBound, { ConsumedCapacity: { CapacityUnits: 25_000 } }],
    ['of entries', boundOfScan, { ConsumedCapacity: { CapacityUnits: 25_000 } }],
    ['of sums', boundOfSums, { ConsumedCapacity: { CapacityUnits: 5_000 } }],
  ])('%s are no more than %o', (_, boundOf, most) => {
    const bound = boundOf();
    bound.charge(most);
    const more = 'ScannedCount' in most ? { ScannedCount: 1 } : { ConsumedCapacity: { CapacityUnits: 0.5 } };
    expect(() => bound.charge(more)).toThrow(expect.objectContaining({ code: 'range_too_large' }));
  });

  it('are counted from the nearer end to find where a page begins', async () => {
    const start = (offset: number, total = TOTAL) => startOf({ partition: 'p' }, offset, total);
    expect(await start(50_000)).toBeDefined();
    expect(await start(50_000, 100_000)).toBeDefined();
    expect(await start(TOTAL - 49_999)).toBeDefined();
    for (const offset of [50_001, TOTAL - 50_000]) await expect(start(offset)).rejects.toMatchObject(TOO_DEEP);
  });

  it('to find where a page begins are no more than 20 MB', async () => {
    const start = (CapacityUnits: number) => {
      const LastEvaluatedKey = { pk: 'pk', sk: 'sk' };
      dynamo.on(QueryCommand).resolves({ Count: 100, LastEvaluatedKey, ConsumedCapacity: { CapacityUnits } });
      return startOf({ partition: 'p' }, 100, TOTAL);
    };
    expect(await start(5_000)).toEqual({ sortKey: 'sk', inclusive: false });
    await expect(start(5_000.5)).rejects.toMatchObject(TOO_DEEP);
  });
});

describe('a page of products', () => {
  const owner = { organizationId, userId, currency: 'USD' };
  const draft = { name: 'x', description: '', sku: null, category: null, price: '1', unit: '', taxRate: null };
  const product = newProduct(draft, owner, uuidV7(), now);
  const all = { ...page, includeInactive: true };
  const active = { ...page, includeInactive: false };
  const [ofAll, ofActive] = ['#product, #usageCount, #all', '#product, #usageCount, #active'];
  const names = [100, '#sk'];
  const matches = [
    [undefined, '#sk'],
    [2, '#product, #usageCount'],
  ];

  it.each<[string, () => Promise<unknown>, unknown[][]]>([
    ['the first of all', () => readProducts(all), [[51, ofAll]]],
    ['the first, with a fifth more', () => readProducts(active), [[62, ofActive]]],
    ['the second of all', () => readProducts({ ...all, offset: 50 }), [[101, ofAll], names]],
    ['the second, with a fifth more', () => readProducts({ ...active, offset: 50 }), [[122, ofActive], names]],
    ['matches of a name', () => readProducts({ ...active, q: 'x' }), matches],
    ['matches of a text', () => readMatchingProducts({ ...page, q: 'x' }), matches],
  ])('reads no row too many, and no more of it than it shows: %s', async (_, read, asked) => {
    dynamo.on(QueryCommand).resolves({ Items: [productItem(product)], ScannedCount: 1 });
    await read();
    const calls = dynamo.commandCalls(QueryCommand).map(({ args: [{ input }] }) => input);
    expect(calls.map(({ Limit, ProjectionExpression }) => [Limit, ProjectionExpression])).toEqual(asked);
  });

  it('has none where those before it are the last by now', async () => {
    dynamo.on(QueryCommand).resolves({ Items: [productItem(product)], Count: 400 });
    expect(await readProducts({ ...active, offset: 500 })).toEqual({ items: [], total: TOTAL });
  });
});

it('a function holds 100,000 rows of directories, whatever they are of, those that were asked for last', async () => {
  const [one, other, empty] = [uuidV7(), uuidV7(), uuidV7()];
  const project = { name: 'Site', clientId: null, defaultRate: null, currency: 'USD', billable: true };
  const others = { project, user: { userName: 'Ana', isActive: true } };
  const clients = Array.from({ length: 49_997 }, (_, client) => [`client ${client}`, 'Acme']);
  const rows = { ...others, ...Object.fromEntries(clients) };
  dynamo.on(GetCommand).resolves({});
  dynamo.on(QueryCommand).callsFake(async ({ ExpressionAttributeValues = {} }: QueryCommandInput) => {
    const asked = Object.values(ExpressionAttributeValues).join();
    return { Items: asked.includes('ROWS#') && !asked.includes(empty) ? [{ pk: 'pk', sk: 'sk', ...rows }] : [] };
  });
  const loaded: string[] = [];
  for (const id of [one, other, one, other, empty, other, one]) {
    dynamo.resetHistory();
    await readDirectory(id);
    if (dynamo.commandCalls(GetCommand).length > 0) loaded.push(id);
  }
  expect(loaded).toEqual([one, other, empty, one]);
});

it('a function takes a count for the weight of a search for ten seconds, and then reads it again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const key = countKey(organizationId, 'CLIENT');
  const counts: number[] = [];
  for (const [all, later] of [
    [1, 9_999],
    [2, 1],
    [3, 0],
  ] as const) {
    dynamo.on(GetCommand).resolves({ Item: { all } });
    counts.push(await readRecentCount(key));
    vi.setSystemTime(Date.now() + later);
  }
  vi.useRealTimers();
  expect(counts).toEqual([1, 1, 3]);
});

it('a function holds a thousand such counts, those that it read last', async () => {
  dynamo.on(GetCommand).resolves({ Item: { all: 1 } });
  const oldest = countKey(uuidV7(), 'CLIENT');
  const others = Array.from({ length: 999 }, () => countKey(uuidV7(), 'CLIENT'));
  const readsOf = async (keys: readonly Key[]) => {
    dynamo.resetHistory();
    for (const key of keys) await readRecentCount(key);
    return dynamo.commandCalls(GetCommand).length;
  };
  expect(await readsOf([oldest, ...others])).toBe(1_000);
  expect(await readsOf([oldest])).toBe(0);
  expect(await readsOf([countKey(uuidV7(), 'CLIENT'), oldest])).toBe(2);
});

it('a function takes no count for that of another organization, of other things, or of some of them', async () => {
  const keys = ['one', 'other'].flatMap((id) => [countKey(id, 'CLIENT'), countKey(id, 'INVOICE')]);
  dynamo.on(GetCommand).callsFake(async ({ Key }) => {
    const all = keys.findIndex(({ pk, sk }) => pk === Key.pk && sk === Key.sk);
    return { Item: { all, active: -all } };
  });
  const counts = keys.map(async (key) => [await readRecentCount(key), await readRecentCount(key, 'active')]);
  expect(await Promise.all(counts)).toEqual(keys.map((_, all) => [all, -all]));
});
