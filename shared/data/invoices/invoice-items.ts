import * as v from 'valibot';
import { externalIdWrites } from '#shared/data/external-ids/external-ids.ts';
import {
  countKey,
  invoiceCreditsKey,
  invoiceKey,
  invoiceLinesKey,
  invoiceOrders,
  invoiceRowKey,
  type Key,
} from '#shared/data/layout/keys.ts';
import { assertKnown, known } from '#shared/data/table/known.ts';
import { rowChanges } from '#shared/data/table/lean-rows.ts';
import { metadata, metadataAttribute, nullableDays, nullableTexts, texts } from '#shared/data/table/members.ts';
import { liesInline, packedPuts, partKeys, readPacked } from '#shared/data/table/packed.ts';
import type { Item } from '#shared/data/table/query.ts';
import { sparse, withoutNulls } from '#shared/data/table/sparse.ts';
import { increase } from '#shared/data/table/sums.ts';
import { Outdated, type TransactItem, type Write } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince } from '#shared/data/table/versioned.ts';
import { change, check, IS_ABSENT, put, remove } from '#shared/data/table/writes.ts';
import { CREDITED_BY, type Credited } from '#shared/domain/invoices/crediting.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import { invoiceTooLarge } from '#shared/domain/invoices/invoice-size.ts';
import type { ListedInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { INVOICE_STATUSES } from '#shared/domain/invoices/steps.ts';
import { foldText } from '#shared/domain/text.ts';
import { filteredRow } from './document-list.ts';
import { documentMembers, lineMembers, storedSeller } from './document-values.ts';

/**
 * The item of an invoice is its head. Long lines lie packed in a partition of their own, so lists of the heads do not
 * carry them. Lists with a filter look through lean rows, as the heads have long notes.
 */

/** Without the discount, which follows from the invoice. */
const storedLine = sparse(v.object(lineMembers));

const creditedLine = v.variant('by', [
  v.looseObject({ by: v.literal('quantity'), quantity: v.string() }),
  v.looseObject({ by: v.literal('amount'), amount: v.string() }),
  v.looseObject({ by: v.literal('entries'), entryIds: v.array(v.string()), minutes: v.number(), amount: v.string() }),
]);

const creditedLines = v.array(v.tuple([v.string(), creditedLine]));

const waysOfCredit = v.array(v.tuple([v.string(), v.looseObject({ by: v.string() })]));

/** Reference to parts stored separately. */
const packed = v.object({ id: v.string(), parts: v.number() });

const head = v.object({
  ...documentMembers,
  ...texts('id', 'creditedTotal', 'amountPaid', 'updatedAt'),
  ...nullableDays('dueDate'),
  ...nullableTexts('number', 'numberPlace', 'paymentUrl', 'notes', 'externalId', 'sentAt', 'paidAt', 'voidedAt'),
  /** A status that only a newer version knows reads as `void`, from which nothing goes on. */
  status: known(INVOICE_STATUSES, 'void'),
  ownServiceDates: sparse(v.object(nullableTexts('serviceFrom', 'serviceTo'))),
  version: v.number(),
  holdId: v.nullable(v.string()),
  metadata,
  lineItems: v.optional(v.array(storedLine)),
  packedLines: v.optional(packed),
  credits: v.optional(packed),
  paymentCount: v.number(),
  creditNoteCount: v.number(),
});

/** A draft follows its organization, so the table holds no seller for it. */
const storedHead = sparse(v.object({ ...head.entries, seller: v.optional(storedSeller) }));

type Head = v.InferOutput<typeof head>;

export type StoredInvoice = Invoice & Pick<Head, 'version' | 'holdId' | 'packedLines' | 'credits'>;

type OptionalSeller<I extends { readonly seller: unknown }> = Omit<I, 'seller'> & Partial<Pick<I, 'seller'>>;

export function listedInvoice(item: Item): OptionalSeller<ListedInvoice> {
  return v.parse(storedHead, item);
}

/** @returns undefined when the lines were replaced after the head was read */
export async function storedInvoice(item: Item): Promise<OptionalSeller<StoredInvoice> | undefined> {
  const { lineItems, ...found } = v.parse(storedHead, item);
  if (lineItems) return { ...found, lineItems };
  const packedLines = await readPacked(lineKeys(found));
  return packedLines === undefined ? undefined : { ...found, lineItems: v.parse(lines, packedLines) };
}

const lines = v.array(storedLine);

function lineKeys({ organizationId, id, packedLines }: Pick<Head, 'organizationId' | 'id' | 'packedLines'>): Key[] {
  if (!packedLines) return [];
  return partKeys(packedLines.parts, (i) => invoiceLinesKey(organizationId, id, packedLines.id, i));
}

interface WritableLines {
  readonly attributes: Pick<Head, 'packedLines'> & {
    readonly lineItems?: readonly Readonly<Record<string, unknown>>[];
  };
  readonly puts: readonly TransactItem[];
}

/**
 * Five items of 390 KB. A transaction has 4 MB, and a credit writes the lines again, with an id more for each, beside
 * their taxes, what is credited of each by then, and the exceptions of the hold.
 */
const MAX_LINE_PARTS = 5;

/** @throws Problem `invoice_too_large` */
async function writableLines({ organizationId, id, ...invoice }: Invoice, linesId: string): Promise<WritableLines> {
  const lineItems = withoutNulls(invoice.lineItems);
  if (liesInline(lineItems)) return { attributes: { lineItems }, puts: [] };
  const puts = await packedPuts(lineItems, v.parser(lines), (part) =>
    invoiceLinesKey(organizationId, id, linesId, part),
  );
  if (puts.length > MAX_LINE_PARTS) throw invoiceTooLarge('Its lines take more than 1.9 MB when they are packed.');
  return { attributes: { packedLines: { id: linesId, parts: puts.length } }, puts };
}

/**
 * The invoice, which is also counted.
 *
 * @throws Problem `invoice_too_large`; its transaction `external_id_taken`, also where the invoice changes
 */
export async function insertion(invoice: Invoice, holdId: string | null): Promise<Write[]> {
  return [...(await invoicePuts(invoice, holdId)), increase(countKey(invoice.organizationId, 'INVOICE'), { all: 1 })];
}

/** @throws Problem as {@link insertion} */
export async function invoicePuts(invoice: Invoice, holdId: string | null): Promise<Write[]> {
  const { attributes, puts } = await writableLines(invoice, invoice.id);
  const row = rowChanges([], [rowOf(invoice)]);
  const head = put({ ...headItem(invoice, holdId), ...attributes }, listedInvoice, IS_ABSENT);
  return [head, ...row, ...puts, ...externalIdWrites('INVOICE', null, invoice)];
}

/**
 * The credited part of each line. It is kept apart from the head: a credit alone needs it, and it may be long.
 *
 * @throws Problem `temporarily_unavailable` where only a newer version can tell what is left
 */
export async function readCredited({ organizationId, id, credits }: StoredInvoice): Promise<Credited> {
  if (!credits) return new Map();
  const keyOf = (part: number) => invoiceCreditsKey(organizationId, id, credits.id, part);
  const stored = await readPacked(partKeys(credits.parts, keyOf));
  if (stored === undefined) throw new Outdated();
  for (const [, { by }] of v.parse(waysOfCredit, stored)) assertKnown(CREDITED_BY, by);
  return new Map(v.parse(creditedLines, stored));
}

/** @param stateId of what is credited by now */
export async function creditedReplacement(
  before: StoredInvoice,
  after: Invoice,
  credited: Credited,
  { stateId, holdId }: { readonly stateId: string; readonly holdId: string | null },
): Promise<Write[]> {
  const { organizationId, id, credits } = before;
  const keyIn = (state: string) => (part: number) => invoiceCreditsKey(organizationId, id, state, part);
  const puts = await packedPuts([...credited], v.parser(creditedLines), keyIn(stateId));
  const former = credits ? partKeys(credits.parts, keyIn(credits.id)) : [];
  const references = { before: { credits }, after: { credits: { id: stateId, parts: puts.length } } };
  return [...headReplacement(before, after, holdId, references), ...puts, ...former.map((key) => remove(key))];
}

export async function replacement(
  before: StoredInvoice,
  after: Invoice,
  holdId: string | null,
  linesId: string,
): Promise<Write[]> {
  const { attributes, puts } = await writableLines(after, linesId);
  const { packedLines, lineItems } = before;
  const former = packedLines ? { packedLines } : { lineItems: withoutNulls(lineItems) };
  const changes = headReplacement(before, after, holdId, { before: former, after: attributes });
  return [...changes, ...puts, ...lineDeletions(before)];
}

/** A draft was read with the customer as it is now, which the table may not have. */
const FOLLOWED = { customer: undefined, foldedCustomer: undefined };

/**
 * Keeps the lines. The first write is that of the head, which fails if the invoice has changed meanwhile.
 *
 * @param references to long parts, which lie in items of their own
 */
export function headReplacement(
  before: StoredInvoice,
  after: Invoice,
  holdId: string | null = before.holdId,
  references: { readonly before: object; readonly after: object } = { before: {}, after: {} },
): Write[] {
  const followed = before.status === 'draft' ? FOLLOWED : {};
  const stored = { ...headItem(before, before.holdId), ...followed, ...references.before };
  const head = change(
    stored,
    { ...headItem(after, holdId), ...references.after },
    listedInvoice,
    unchangedSince(before),
  );
  return [head, ...rowChanges([rowOf(before)], [rowOf(after)]), ...externalIdWrites('INVOICE', before, after)];
}

export function headCheck(invoice: StoredInvoice): TransactItem {
  return check(invoiceKey(invoice.organizationId, invoice.id), unchangedSince(invoice));
}

/** The first write fails if the invoice has changed meanwhile. */
export function deletion(invoice: StoredInvoice): Write[] {
  const head = remove(invoiceKey(invoice.organizationId, invoice.id), unchangedSince(invoice));
  const rows = rowChanges([rowOf(invoice)], []);
  return [head, ...rows, ...lineDeletions(invoice), ...externalIdWrites('INVOICE', invoice, null)];
}

function lineDeletions(invoice: StoredInvoice): TransactItem[] {
  return lineKeys(invoice).map((key) => remove(key));
}

const rowOf = (invoice: Invoice) => filteredRow(invoiceRowKey(invoice.organizationId, invoice.id), invoice);

const headOnly = v.omit(head, ['lineItems', 'packedLines', 'credits', 'metadata']);

function headItem(invoice: Invoice, holdId: string | null) {
  const { organizationId, id, number, status: ownStatus, seller: ownSeller, customer: ownCustomer, notes } = invoice;
  return {
    ...invoiceKey(organizationId, id),
    ...withoutNulls(v.parse(headOnly, { ...invoice, version: newVersion(), holdId })),
    ...metadataAttribute(invoice.metadata),
    ...(ownStatus !== 'draft' && { seller: withoutNulls(ownSeller) }),
    ...invoiceOrders(invoice),
    foldedNumber: foldText(number ?? ''),
    foldedCustomer: foldText(ownCustomer.name),
    foldedNotes: foldText(notes ?? ''),
  };
}
