import { v7 as uuidV7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { readInvoice, readInvoices, removeInvoice } from '#shared/data/invoices/invoices.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import type { ListedInvoice } from '#shared/domain/invoices/present-invoice.ts';
import type { CursorPage, Direction, Window } from '#shared/domain/page.ts';
import { makeInvoice, storeInvoices } from '#test/support/bulk-invoices.ts';
import { type Cost, costOf } from '#test/support/capacity.ts';
import { draws } from '#test/support/draws.ts';
import { given } from '#test/support/given.ts';

/** Many invoices, walked through in every order, direction and heading while others come and go. */

const PAGE = 100;
const ORDERS = ['createdAt', 'issueDate', 'dueDate', 'number', 'total'] as const;

const DIRECTIONS: readonly Direction[] = ['asc', 'desc'];
const HEADINGS = ['forwards', 'backwards'] as const;

type Order = (typeof ORDERS)[number];

/** Numbers have any length, so that text does not order them. */
const numeric = (decimal: string) => {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(3, '0'));
};

/** What an order goes by; null stands behind everything. */
const VALUES: Readonly<Record<Order, (invoice: ListedInvoice) => string | bigint | null>> = {
  createdAt: ({ createdAt }) => createdAt,
  issueDate: ({ issueDate }) => issueDate,
  dueDate: ({ dueDate }) => dueDate,
  number: ({ number }) => (number === null ? null : BigInt(number.slice('INV-'.length))),
  total: ({ total }) => numeric(total),
};

/** The order that a list promises, worked out without the table. */
function ascending(by: Order) {
  const value = VALUES[by];
  return (one: ListedInvoice, other: ListedInvoice): number => {
    const [a, b] = [value(one), value(other)];
    if (a === b) return one.id < other.id ? -1 : 1;
    if (a === null || b === null) return a === null ? 1 : -1;
    return a < b ? -1 : 1;
  };
}

/** A page with drafts also reads, in one round trip, the organization and the clients of these drafts: a unit each. */
function withoutParties({ calls, roundTrips, readUnits }: Cost, edges: CursorPage<ListedInvoice>['edges']) {
  const drafts = edges.map(({ node }) => node).filter(({ status }) => status === 'draft');
  if (drafts.length === 0) return { calls, roundTrips, readUnits };
  const clients = new Set(drafts.map(({ clientId }) => clientId)).size;
  return { calls: calls - 2, roundTrips: roundTrips - 1, readUnits: readUnits - 1 - clients };
}

interface Walk {
  readonly by: Order;
  readonly direction: Direction;
  readonly heading: (typeof HEADINGS)[number];
}

const ALL_WALKS: readonly Walk[] = ORDERS.flatMap((by) =>
  DIRECTIONS.flatMap((direction) => HEADINGS.map((heading) => ({ by, direction, heading }))),
);

/** By what many share, and by what each has alone. */
const LONG_WALKS: readonly Walk[] = [
  { by: 'issueDate', direction: 'desc', heading: 'forwards' },
  { by: 'total', direction: 'asc', heading: 'backwards' },
];

const SHORT = { invoices: 300, walks: ALL_WALKS };
const LONG = { invoices: 2_000, walks: LONG_WALKS };

describe.each([SHORT, LONG].slice(0, draws(1)))('a list of $invoices invoices', ({ invoices, walks }) => {
  let organizationId: string;
  const staying: Invoice[] = [];

  beforeAll(async () => {
    organizationId = (await given.organization()).id;
    const start = Date.parse('2026-01-01T00:00:00.000Z');
    for (let i = 0; i < invoices; i++) staying.push(makeInvoice(organizationId, i, start + i * 1_000));
    await storeInvoices(organizationId, staying);
  }, 120_000);

  async function read(orderBy: Order, orderDirection: Direction, window: Window): Promise<CursorPage<ListedInvoice>> {
    const page = await readInvoices({
      organizationId,
      now: new Date('2026-11-20'),
      pagination: 'cursor',
      limit: 50,
      offset: 0,
      orderBy,
      orderDirection,
      ...window,
    });
    if (!('edges' in page)) throw new Error('This is a page by offset.');
    return page;
  }

  /** Somebody creates an invoice that may stand anywhere, and deletes one that was created so before. */
  async function disturb(passing: Invoice[], round: number): Promise<void> {
    const createdAt = staying[(round * 997) % invoices]?.createdAt ?? '';
    const other = { ...makeInvoice(organizationId, (round * 101) % invoices, Date.parse(createdAt)), id: uuidV7() };
    await storeInvoices(organizationId, [other]);
    passing.push(other);
    if (passing.length <= 3) return;
    const [gone] = passing.splice(0, 1);
    if (gone) await removeInvoice(await readInvoice(organizationId, gone.id));
  }

  it.each(walks)('$direction by $by is walked $heading without meeting one twice or missing one', async (walk) => {
    const { by, direction, heading } = walk;
    const isForward = heading === 'forwards';
    const met: ListedInvoice[] = [];
    const passing: Invoice[] = [];
    let cursor: string | undefined;
    for (let round = 0, hasMore = true; hasMore; round++) {
      const window = isForward ? { first: PAGE, after: cursor } : { last: PAGE, before: cursor };
      const { edges, pageInfo } = await read(by, direction, window);
      const nodes = edges.map(({ node }) => node);
      met.push(...(isForward ? nodes : nodes.toReversed()));
      hasMore = isForward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
      cursor = (isForward ? pageInfo.endCursor : pageInfo.startCursor) ?? undefined;
      if (round % 2 === 0) await disturb(passing, round + 1);
    }
    const ascendingIds = staying.toSorted(ascending(by)).map(({ id }) => id);
    const ids = new Set(ascendingIds);
    const seen = met.map(({ id }) => id);
    expect(new Set(seen).size).toBe(seen.length);
    const isAscending = (direction === 'asc') === isForward;
    expect(seen.filter((id) => ids.has(id))).toEqual(isAscending ? ascendingIds : ascendingIds.toReversed());
    for (const { id } of passing) await removeInvoice(await readInvoice(organizationId, id));
  });

  it.each(ORDERS)('costs the same by %s wherever the page lies', async (by) => {
    const first = await read(by, 'desc', { first: 10 });
    const last = await read(by, 'desc', { last: PAGE });
    const middle = first.edges.at(-1)?.cursor;
    const costs = [];
    for (const after of [middle, last.edges[0]?.cursor, last.edges[PAGE / 2]?.cursor]) {
      const { edges } = await read(by, 'desc', { first: 20, after });
      const cost = await costOf(() => read(by, 'desc', { first: 20, after }));
      costs.push(withoutParties(cost, edges));
    }
    for (const { calls, roundTrips, readUnits } of costs) {
      expect(calls).toBe(4);
      expect(roundTrips).toBeLessThanOrEqual(3);
      // Rows differ by some bytes.
      expect(Math.abs(readUnits - (costs[0]?.readUnits ?? 0))).toBeLessThanOrEqual(1);
      expect(readUnits).toBeLessThanOrEqual(20 + 5);
    }
  });

  it('counts all of them on every page', async () => {
    expect((await read('total', 'asc', { first: 1 })).totalCount).toBe(invoices);
  });
});
