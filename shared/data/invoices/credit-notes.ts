import * as v from 'valibot';
import { creditLine, creditNoteHead } from '#shared/contract/invoices/credit-notes.ts';
import { customer, seller, taxes } from '#shared/contract/invoices/invoice.ts';
import type { CursorPage, Direction, Listed, Window } from '#shared/contract/pagination.ts';
import {
  countKey,
  creditNoteKey,
  creditNoteLinesKey,
  creditNoteOrders,
  creditNotePartition,
  dateOrderRange,
} from '#shared/data/layout/keys.ts';
import { allOf, contains, equalling, type Item, ranging } from '#shared/data/table/collection.ts';
import { readCount } from '#shared/data/table/counts.ts';
import { readItem } from '#shared/data/table/item.ts';
import { readPage } from '#shared/data/table/offset-page.ts';
import { readConnection } from '#shared/data/table/relay-page.ts';
import { sparse, withoutNulls } from '#shared/data/table/sparse.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { IS_ABSENT, put } from '#shared/data/table/writes.ts';
import type { CreditNote } from '#shared/domain/invoices/credit-note.ts';
import { notFound } from '#shared/domain/problems.ts';
import { fold } from '#shared/domain/text.ts';
import { liesInline, packedPuts, partKeys, readPacked } from './placed-lines.ts';

/** Credit notes never change. Long lines lie in a partition of their own, as those of invoices. */

const storedLine = sparse(creditLine);

const stored = sparse(
  v.object({
    ...creditNoteHead.entries,
    seller: sparse(seller),
    customer: sparse(customer),
    organizationId: v.string(),
    invoiceDate: v.string(),
    discountPercent: v.nullable(v.string()),
    taxes: v.array(sparse(taxes.item)),
    lineItems: v.optional(v.array(storedLine)),
    lineParts: v.optional(v.number(), 0),
  }),
);

export type ListedCreditNote = Omit<CreditNote, 'lineItems'> & Partial<Pick<CreditNote, 'lineItems'>>;

function listed(item: Item): ListedCreditNote {
  const { lineParts, ...creditNote } = v.parse(stored, item);
  return creditNote;
}

/** @throws Problem `not_found` */
export async function readCreditNote(organizationId: string, id: string): Promise<CreditNote> {
  const item = await readItem(creditNoteKey(organizationId, id));
  if (!item) throw notFound();
  const { lineItems, lineParts, ...creditNote } = v.parse(stored, item);
  const keys = partKeys(lineParts, (part) => creditNoteLinesKey(organizationId, id, part));
  return { ...creditNote, lineItems: lineItems ?? v.parse(v.array(storedLine), await readPacked(keys)) };
}

/** @throws Problem `invoice_too_large` */
export async function creditNotePuts(creditNote: CreditNote): Promise<TransactItem[]> {
  const { lineItems: shown, ...head } = creditNote;
  const { organizationId, id, number, invoiceNumber, customer: customerOf, reason } = head;
  const lineItems = withoutNulls(shown);
  const isInline = liesInline(lineItems);
  const puts = isInline ? [] : await packedPuts(lineItems, (part) => creditNoteLinesKey(organizationId, id, part));
  const item = {
    ...creditNoteKey(organizationId, id),
    ...withoutNulls(head),
    ...(isInline ? { lineItems } : { lineParts: puts.length }),
    ...creditNoteOrders(head),
    foldedNumbers: fold(`${number} ${invoiceNumber}`),
    foldedCustomer: fold(customerOf.name),
    foldedReason: fold(reason),
  };
  return [put(item, IS_ABSENT), ...puts];
}

interface ListRequest extends Window {
  readonly organizationId: string;
  readonly q?: string;
  readonly clientId?: string;
  readonly invoiceId?: string;
  /** `YYYY-MM-DD`, inclusive */
  readonly issueFrom?: string;
  readonly issueTo?: string;
  readonly pagination: 'offset' | 'cursor';
  readonly limit: number;
  readonly offset: number;
  readonly orderBy: keyof typeof INDEX_OF_ORDER;
  readonly orderDirection: Direction;
}

const INDEX_OF_ORDER = { createdAt: undefined, issueDate: 'order1', number: 'order3', total: 'order4' } as const;

/** As invoices are listed: without a filter a page is all that is read. */
export async function readCreditNotes(
  request: ListRequest,
): Promise<Listed<ListedCreditNote> | CursorPage<ListedCreditNote>> {
  const { organizationId, pagination, limit, offset, orderBy, orderDirection: direction } = request;
  const partition = creditNotePartition(organizationId);
  const total = () => readCount(countKey(organizationId, 'CREDIT_NOTE'));
  if (pagination === 'offset') {
    const filter = filterOf(request);
    return readPage({ partition, filter, limit, offset, total: filter ? undefined : total }, listed);
  }
  const { first, last, after, before, q, clientId, invoiceId, issueFrom, issueTo } = request;
  const isRange = orderBy === 'issueDate' && Boolean(issueFrom || issueTo);
  const between = isRange ? dateOrderRange({ from: issueFrom, to: issueTo }) : undefined;
  const filter = filterOf(isRange ? { ...request, issueFrom: undefined, issueTo: undefined } : request);
  const wanted = filter || between ? { q: q || undefined, clientId, invoiceId, issueFrom, issueTo } : undefined;
  const list = { partition, index: INDEX_OF_ORDER[orderBy], direction, total, between, filter, wanted };
  return readConnection(list, { first, last, after, before }, listed);
}

function filterOf({ q, clientId, invoiceId, issueFrom, issueTo }: Omit<ListRequest, keyof Window>) {
  return allOf(
    q ? contains(q, ['foldedNumbers', 'foldedCustomer', 'foldedReason']) : undefined,
    equalling({ clientId, invoiceId }),
    ranging('issueDate', { from: issueFrom, to: issueTo }),
  );
}
