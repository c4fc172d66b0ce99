import { rangeOfHolder } from '#shared/data/external-ids/external-ids.ts';
import { holdEnd } from '#shared/data/holds/holds.ts';
import {
  countKey,
  dateOrderRange,
  invoiceKey,
  invoicePartition,
  invoiceRowPartition,
} from '#shared/data/layout/keys.ts';
import { readToday } from '#shared/data/organization/time-zones.ts';
import { allOf, amongst, equalling, type Filter, ranging } from '#shared/data/table/collection.ts';
import { readCount, readRecentCount } from '#shared/data/table/counts.ts';
import { readItem } from '#shared/data/table/item.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact, type Write } from '#shared/data/table/transaction.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import type { ListedInvoice } from '#shared/domain/invoices/present-invoice.ts';
import type { InvoiceStatus } from '#shared/domain/invoices/steps.ts';
import { type CursorPage, directionOf, type Listed, type Paging } from '#shared/domain/page.ts';
import { notFound } from '#shared/domain/problems.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import { readDocumentConnection, readDocumentPage } from './document-list.ts';
import { deletion, headReplacement, listedInvoice, type StoredInvoice, storedInvoice } from './invoice-items.ts';
import { mayContain, readSearch } from './invoice-search.ts';
import { readParties } from './parties.ts';

/** A draft has its seller and customer as they are now. @throws Problem `not_found` */
export async function readInvoice(organizationId: string, id: string): Promise<StoredInvoice> {
  for (;;) {
    const item = await readItem(invoiceKey(organizationId, id));
    if (!item) throw notFound();
    const invoice = await storedInvoice(item);
    const [complete] = await readParties(organizationId, invoice ? [invoice] : []);
    if (complete) return complete;
  }
}

/** @throws ConditionFailed */
export async function saveInvoice(before: StoredInvoice, after: Invoice, others: readonly Write[]): Promise<void> {
  if (after !== before) await transact([...headReplacement(before, after), ...others]);
}

export async function saveVoid(before: StoredInvoice, voided: Invoice, others: readonly Write[]): Promise<void> {
  await transact([...headReplacement(before, voided, null), ...holdEnds(before), ...others]);
}

export async function removeInvoice(invoice: StoredInvoice, others: readonly Write[]): Promise<void> {
  const fewer = increase(countKey(invoice.organizationId, 'INVOICE'), { all: -1 });
  await transact([...deletion(invoice), fewer, ...holdEnds(invoice), ...others]);
}

function holdEnds({ organizationId, holdId }: StoredInvoice): Write[] {
  return holdId === null ? [] : [holdEnd(organizationId, holdId)];
}

interface InvoiceFilters {
  readonly q?: string;
  readonly externalId?: string;
  /** Of one of these */
  readonly status?: readonly InvoiceStatus[];
  readonly clientId?: string;
  readonly overdue?: boolean;
  /** Dates `YYYY-MM-DD`, inclusive */
  readonly issueFrom?: string;
  readonly issueTo?: string;
  readonly dueFrom?: string;
  readonly dueTo?: string;
}

interface ListRequest extends Paging<keyof typeof INDEX_OF_ORDER>, InvoiceFilters {
  readonly organizationId: string;
  readonly now: Date;
  /** Before a search reads what it looks through. */
  readonly pay?: (invoices: number) => Promise<void>;
}

const INDEX_OF_ORDER = {
  createdAt: undefined,
  issueDate: 'byIssueDate',
  dueDate: 'byDueDate',
  number: 'byNumber',
  total: 'byTotal',
} as const;

/**
 * A range of dates in their order is a range of the index. Any other filter reads all lean rows: the total counts the
 * matches, and an index would lag. 10,000 take 450 read units (`test/data/capacity.test.ts`) and two round trips.
 */
export async function readInvoices(request: ListRequest): Promise<Listed<ListedInvoice> | CursorPage<ListedInvoice>> {
  const { organizationId, now, pagination, limit, offset, orderBy, q, externalId } = request;
  const direction = directionOf(request);
  const counted = countKey(organizationId, 'INVOICE');
  const total = () => readCount(counted);
  const named = externalId === undefined ? undefined : await rangeOfHolder(organizationId, 'INVOICE', externalId);
  if (q && !named) await request.pay?.(await readRecentCount(counted));
  const list = {
    partition: invoicePartition(organizationId),
    rows: invoiceRowPartition(organizationId),
    search: q ? { filter: mayContain(q), join: await readSearch(organizationId, q) } : undefined,
    total,
  };
  // No other filter needs the date.
  const dueBefore = request.overdue === undefined ? dateOf(now) : await readToday(organizationId, now);
  if (pagination === 'offset') {
    const filter = filterOf(request, dueBefore);
    const page = await readDocumentPage({ ...list, filter, between: named, limit, offset }, listedInvoice);
    return { ...page, items: await readParties(organizationId, page.items) };
  }
  const { first, last, after, before } = request;
  const ordered = named
    ? { ...list, direction, ...searchOf(request, 'createdAt', dueBefore), between: named }
    : { ...list, index: INDEX_OF_ORDER[orderBy], direction, ...searchOf(request, orderBy, dueBefore) };
  const connection = await readDocumentConnection(ordered, { first, last, after, before }, listedInvoice);
  const rows = connection.edges.map(({ cursor, node }) => ({ ...node, cursor }));
  const invoices = await readParties(organizationId, rows);
  const edges = invoices.map(({ cursor, ...node }) => ({ cursor, node }));
  return { ...connection, edges };
}

function searchOf(filters: InvoiceFilters, orderBy: ListRequest['orderBy'], today: string) {
  const { q, externalId, status, clientId, overdue, issueFrom, issueTo, dueFrom, dueTo } = filters;
  const wanted = { q: q || undefined, externalId, status, clientId, overdue, issueFrom, issueTo, dueFrom, dueTo };
  const filter = filterOf(filters, today);
  return { between: rangeOf(filters, orderBy), filter, wanted: filter || q || externalId ? wanted : undefined };
}

function rangeOf({ issueFrom, issueTo, dueFrom, dueTo }: InvoiceFilters, orderBy: ListRequest['orderBy']) {
  if (orderBy === 'issueDate' && (issueFrom || issueTo)) return dateOrderRange({ from: issueFrom, to: issueTo });
  if (orderBy === 'dueDate' && (dueFrom || dueTo)) return dateOrderRange({ from: dueFrom, to: dueTo });
  return undefined;
}

function filterOf(filters: InvoiceFilters, today: string): Filter | undefined {
  const { status, clientId, overdue, issueFrom, issueTo, dueFrom, dueTo } = filters;
  return allOf(
    amongst('status', status),
    equalling({ clientId }),
    overdue === undefined ? undefined : overdueFilter(overdue, today),
    ranging('issueDate', { from: issueFrom, to: issueTo }),
    ranging('dueDate', { from: dueFrom, to: dueTo }),
  );
}

/** As `isOverdue` of an invoice. DynamoDB finds no text smaller or larger than a missing date. */
function overdueFilter(isWanted: boolean, today: string): Filter {
  const isOverdue = '(#status = :sent AND #dueDate < :today)';
  return {
    expression: isWanted ? isOverdue : `(NOT ${isOverdue})`,
    names: { '#status': 'status', '#dueDate': 'dueDate' },
    values: { ':sent': 'sent', ':today': today },
  };
}
