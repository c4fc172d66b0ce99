import { beforeAll, describe, expect, it } from 'vitest';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import { minorDigits, parseMinor } from '#shared/domain/money.ts';
import { showInvoices } from '#shared/work/invoices/show-invoice.ts';
import { makeInvoice, storeInvoices } from '#test/support/bulk-invoices.ts';
import { given } from '#test/support/given.ts';

/**
 * Filters of the list of invoices in every order, by offset and by cursor: what they find. `test/data/capacity.test.ts`
 * has what they cost.
 */

type Wanted = Parameters<typeof showInvoices>[0];
type Filters = Pick<Wanted, 'status' | 'overdue' | 'issueFrom' | 'issueTo' | 'dueFrom' | 'dueTo' | 'q'>;

const INVOICES = 240;
const STATUSES = ['sent', 'paid', 'void'] as const;

/** Some are due on it, some before, some later, and some never. */
const TODAY = '2027-11-14';

const FILTERS: readonly Filters[] = [
  {},
  { overdue: true },
  { overdue: false },
  { dueFrom: '2027-11-05', dueTo: '2027-11-14' },
  { dueFrom: '2027-11-20' },
  { dueTo: '2027-11-02' },
  { issueFrom: '2026-11-10', issueTo: '2026-11-10' },
  { issueFrom: '2026-11-27' },
  { issueTo: '2026-11-03', dueTo: '2027-11-20', overdue: true },
  { overdue: true, status: ['sent'], q: 'note 1' },
  { q: 'note 2' },
  { issueFrom: '2026-11-20', q: 'note 1' },
  { overdue: true, status: ['paid'] },
  { status: ['draft', 'paid'] },
  { status: ['sent', 'void'], dueTo: '2027-11-20', q: 'note' },
  { dueFrom: '2030-01-01', dueTo: '2030-01-02' },
];

/** What a filter says, worked out without the table. */
function fits({ status, overdue, issueFrom, issueTo, dueFrom, dueTo, q }: Filters) {
  return (invoice: Invoice): boolean => {
    const { issueDate, dueDate } = invoice;
    const isOverdue = invoice.status === 'sent' && dueDate !== null && dueDate < TODAY;
    return (
      (status === undefined || status.includes(invoice.status)) &&
      (overdue === undefined || isOverdue === overdue) &&
      (issueFrom === undefined || issueDate >= issueFrom) &&
      (issueTo === undefined || issueDate <= issueTo) &&
      (dueFrom === undefined || (dueDate !== null && dueDate >= dueFrom)) &&
      (dueTo === undefined || (dueDate !== null && dueDate <= dueTo)) &&
      (q === undefined || (invoice.notes ?? '').toLowerCase().includes(q))
    );
  };
}

/** What an order goes by; null stands behind everything. */
const ORDERS: Readonly<Record<Wanted['orderBy'], (invoice: Invoice) => string | bigint | null>> = {
  createdAt: ({ createdAt }) => createdAt,
  issueDate: ({ issueDate }) => issueDate,
  dueDate: ({ dueDate }) => dueDate,
  number: ({ number }) => number,
  total: ({ total, currency }) => parseMinor(total) * 10n ** BigInt(3 - minorDigits(currency)),
};

type Order = readonly [by: Wanted['orderBy'], (invoice: Invoice) => string | bigint | null];

/** Ascending, worked out without the table. */
function inOrder(invoices: readonly Invoice[], value: Order[1]): Invoice[] {
  return invoices.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === b) return one.id < other.id ? -1 : 1;
    if (a === null || b === null) return a === null ? 1 : -1;
    return a < b ? -1 : 1;
  });
}

describe('the filters of invoices', () => {
  let organizationId: string;
  const invoices: Invoice[] = [];

  beforeAll(async () => {
    organizationId = (await given.organization()).id;
    const start = Date.parse('2026-01-01T00:00:00.000Z');
    for (let i = 0; i < INVOICES; i++) {
      const invoice = makeInvoice(organizationId, i, start + i * 1_000);
      const status = STATUSES[Math.floor(i / 4) % 3] ?? 'sent';
      invoices.push(invoice.status === 'draft' ? invoice : { ...invoice, status });
    }
    await storeInvoices(organizationId, invoices);
  }, 120_000);

  const read = (wanted: Partial<Wanted>) =>
    showInvoices({
      organizationId,
      now: new Date(TODAY),
      pagination: 'cursor',
      limit: 100,
      offset: 0,
      orderBy: 'createdAt',
      orderDirection: 'desc',
      ...wanted,
    });

  async function page(wanted: Partial<Wanted>) {
    const found = await read({ ...wanted, pagination: 'cursor' });
    if (!('edges' in found)) throw new Error('This is a page by offset.');
    return found;
  }

  async function pageByOffset(wanted: Partial<Wanted>) {
    const found = await read({ ...wanted, pagination: 'offset' });
    if (!('items' in found)) throw new Error('This is a page by cursor.');
    return found;
  }

  const idsOf = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id);

  it.each(FILTERS)('%j find what they say by offset, newest first', async (filters) => {
    const expected = idsOf(invoices.filter(fits(filters))).toReversed();
    const ids: string[] = [];
    for (let offset = 0; offset <= expected.length; offset += 100) {
      const { items, total } = await pageByOffset({ ...filters, offset });
      expect(total).toBe(expected.length);
      ids.push(...idsOf(items));
    }
    expect(ids).toEqual(expected);
  });

  it.each(FILTERS)('%j find what they say by cursor, in every order and direction', async (filters) => {
    for (const [orderBy, value] of Object.entries(ORDERS) as Order[]) {
      const ascending = idsOf(inOrder(invoices.filter(fits(filters)), value));
      expect(await walk({ ...filters, orderBy, orderDirection: 'asc' })).toEqual(ascending);
      expect(await walk({ ...filters, orderBy })).toEqual(ascending.toReversed());
    }
  });

  /** @returns the ids of all pages */
  async function walk(wanted: Partial<Wanted>): Promise<string[]> {
    const ids: string[] = [];
    let after: string | undefined;
    do {
      const { edges, pageInfo, totalCount } = await page({ ...wanted, first: 100, after });
      ids.push(...edges.map(({ node }) => node.id));
      after = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined;
      if (!after) expect(ids).toHaveLength(totalCount);
    } while (after);
    return ids;
  }

  it('bind a cursor, but not to the day on which it was given out', async () => {
    const wanted = { overdue: true, orderBy: 'dueDate', first: 5 } as const;
    const after = (await page(wanted)).pageInfo.endCursor ?? '';
    expect((await page({ ...wanted, after, now: new Date('2027-11-15') })).edges).toHaveLength(5);
    const day = '2027-11-01';
    for (const others of [
      ...[{ overdue: false }, { status: ['sent'] as const }, { clientId: organizationId }, { q: 'note' }],
      ...[{ dueFrom: day }, { dueTo: day }, { issueFrom: day }, { issueTo: day }],
    ]) {
      await expect(page({ ...wanted, ...others, after })).rejects.toThrow('Expected a cursor');
    }
  });
});
