import * as v from 'valibot';
import {
  countKey,
  creditNoteKey,
  creditNoteLinesKey,
  creditNoteOrders,
  creditNotePartition,
  creditNoteRowKey,
  creditNoteRowPartition,
  dateOrderRange,
} from '#shared/data/layout/keys.ts';
import { allOf, contains, equalling, ranging } from '#shared/data/table/collection.ts';
import { readCount, readRecentCount } from '#shared/data/table/counts.ts';
import { requireItem } from '#shared/data/table/item.ts';
import { known } from '#shared/data/table/known.ts';
import { rowChanges } from '#shared/data/table/lean-rows.ts';
import { nullableTexts, texts } from '#shared/data/table/members.ts';
import { liesInline, packedPuts, partKeys, readPacked } from '#shared/data/table/packed.ts';
import type { Item } from '#shared/data/table/query.ts';
import { sparse, withoutNulls } from '#shared/data/table/sparse.ts';
import { increase } from '#shared/data/table/sums.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { IS_ABSENT, put } from '#shared/data/table/writes.ts';
import type { CreditNote } from '#shared/domain/invoices/credit-note.ts';
import { type CursorPage, directionOf, type Listed, type Paging, type Window } from '#shared/domain/page.ts';
import { TAX_CATEGORIES } from '#shared/domain/tax.ts';
import { foldText } from '#shared/domain/text.ts';
import { filteredRow, readDocumentConnection, readDocumentPage } from './document-list.ts';
import { documentMembers, lineMembers, storedSeller } from './document-values.ts';

/** Credit notes never change. Long lines lie with their taxes in a partition of their own, as those of invoices. */

const storedLine = sparse(v.object({ ...lineMembers, ...texts('lineItemId', 'discount') }));

const storedTax = sparse(
  v.object({
    ...texts('taxRate', 'base', 'amount'),
    ...nullableTexts('exemptionReason'),
    taxCategory: known(TAX_CATEGORIES, 'outside_scope'),
  }),
);

const storedFigures = v.object({ lineItems: v.array(storedLine), taxes: v.array(storedTax) });

const stored = sparse(
  v.object({
    ...documentMembers,
    ...texts('id', 'number', 'invoiceId', 'invoiceNumber', 'invoiceDate', 'reason'),
    ...nullableTexts('numberPlace'),
    seller: storedSeller,
    figures: v.optional(storedFigures),
    /** In how many items the figures lie otherwise. */
    parts: v.optional(v.number(), 0),
  }),
);

type Figures = Pick<CreditNote, 'lineItems' | 'taxes'>;

export type ListedCreditNote = Omit<CreditNote, keyof Figures> & Partial<Figures>;

function listed(item: Item): ListedCreditNote {
  const { parts, figures, ...head } = v.parse(stored, item);
  return { ...head, ...figures };
}

/** @throws Problem `not_found` */
export async function readCreditNote(organizationId: string, id: string): Promise<CreditNote> {
  const item = await requireItem(creditNoteKey(organizationId, id));
  const { parts, figures, ...head } = v.parse(stored, item);
  const keys = partKeys(parts, (part) => creditNoteLinesKey(organizationId, id, part));
  return { ...head, ...(figures ?? v.parse(storedFigures, await readPacked(keys))) };
}

/** It is also counted. */
export async function creditNoteInsertion(creditNote: CreditNote): Promise<TransactItem[]> {
  return [
    ...(await creditNotePuts(creditNote)),
    increase(countKey(creditNote.organizationId, 'CREDIT_NOTE'), { all: 1 }),
  ];
}

export async function creditNotePuts(creditNote: CreditNote): Promise<TransactItem[]> {
  const { lineItems, taxes: ofLines, ...head } = creditNote;
  const { organizationId, id, number, invoiceNumber, customer: customerOf, reason } = head;
  const figures = withoutNulls({ lineItems, taxes: ofLines });
  const isInline = liesInline(figures);
  const puts = isInline
    ? []
    : await packedPuts(figures, v.parser(storedFigures), (part) => creditNoteLinesKey(organizationId, id, part));
  const item = {
    ...creditNoteKey(organizationId, id),
    ...withoutNulls(head),
    ...(isInline ? { figures } : { parts: puts.length }),
    ...creditNoteOrders(head),
    foldedNumbers: foldText(`${number} ${invoiceNumber}`),
    foldedCustomer: foldText(customerOf.name),
    foldedReason: foldText(reason),
  };
  const row = filteredRow(creditNoteRowKey(organizationId, id), head);
  return [put(item, listed, IS_ABSENT), ...rowChanges([], [row]), ...puts];
}

interface ListRequest extends Paging<keyof typeof INDEX_OF_ORDER> {
  readonly organizationId: string;
  /** Before a search reads what it looks through. */
  readonly pay?: (creditNotes: number) => Promise<void>;
  readonly q?: string;
  readonly clientId?: string;
  readonly invoiceId?: string;
  /** `YYYY-MM-DD`, inclusive */
  readonly issueFrom?: string;
  readonly issueTo?: string;
}

const INDEX_OF_ORDER = {
  createdAt: undefined,
  issueDate: 'byIssueDate',
  number: 'byNumber',
  total: 'byTotal',
} as const;

/** As invoices are listed. */
export async function readCreditNotes(
  request: ListRequest,
): Promise<Listed<ListedCreditNote> | CursorPage<ListedCreditNote>> {
  const { organizationId, pagination, limit, offset, orderBy, q } = request;
  const counted = countKey(organizationId, 'CREDIT_NOTE');
  const total = () => readCount(counted);
  if (q) await request.pay?.(await readRecentCount(counted));
  const list = {
    partition: creditNotePartition(organizationId),
    rows: creditNoteRowPartition(organizationId),
    search: q ? { filter: contains(q, ['foldedNumbers', 'foldedCustomer', 'foldedReason']) } : undefined,
    total,
  };
  if (pagination === 'offset') return readDocumentPage({ ...list, filter: filterOf(request), limit, offset }, listed);
  const { first, last, after, before, clientId, invoiceId, issueFrom, issueTo } = request;
  const isRange = orderBy === 'issueDate' && Boolean(issueFrom || issueTo);
  const between = isRange ? dateOrderRange({ from: issueFrom, to: issueTo }) : undefined;
  const filter = filterOf(request);
  const wanted = filter || q ? { q: q || undefined, clientId, invoiceId, issueFrom, issueTo } : undefined;
  const ordered = { ...list, index: INDEX_OF_ORDER[orderBy], direction: directionOf(request), between, filter, wanted };
  return readDocumentConnection(ordered, { first, last, after, before }, listed);
}

function filterOf({ clientId, invoiceId, issueFrom, issueTo }: Omit<ListRequest, keyof Window>) {
  return allOf(equalling({ clientId, invoiceId }), ranging('issueDate', { from: issueFrom, to: issueTo }));
}
