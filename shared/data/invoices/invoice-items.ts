import * as v from 'valibot';
import { customer, invoiceHead, seller } from '#shared/contract/invoices/invoice.ts';
import { lineItem } from '#shared/contract/invoices/lines.ts';
import { invoiceKey, invoiceLinesKey, invoiceOrders, type Key } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import type { Item } from '#shared/data/table/collection.ts';
import { pack, unpack } from '#shared/data/table/packed.ts';
import { sparse, withoutNulls } from '#shared/data/table/sparse.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince } from '#shared/data/table/versioned.ts';
import { check, IS_ABSENT, put, remove } from '#shared/data/table/writes.ts';
import type { Invoice, LineItem } from '#shared/domain/invoices/invoice.ts';
import { invoiceTooLarge } from '#shared/domain/invoices/invoice-size.ts';
import type { ListedInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { fold } from '#shared/domain/text.ts';

/** Long lines lie packed in a partition of their own, so lists and indexes of the heads do not carry them. */

/** The invoice decides the discount of a line. */
const { discount: _, ...lineEntries } = lineItem.entries;

const storedLine = sparse(v.object(lineEntries));

const head = v.object({
  ...v.omit(invoiceHead, ['amountDue', 'isOverdue', 'seller', 'customer']).entries,
  customer: sparse(customer),
  organizationId: v.string(),
  ownServiceDates: sparse(v.object({ serviceFrom: v.nullable(v.string()), serviceTo: v.nullable(v.string()) })),
  version: v.number(),
  holdId: v.nullable(v.string()),
  lineItems: v.optional(v.array(storedLine)),
  packedLines: v.optional(v.object({ id: v.string(), parts: v.number() })),
  paymentCount: v.number(),
});

/** A draft follows its organization, so the table holds no seller for it. */
const storedHead = sparse(v.object({ ...head.entries, seller: v.optional(sparse(seller)) }));

type Head = v.InferOutput<typeof head>;

export type StoredInvoice = Invoice & Pick<Head, 'version' | 'holdId' | 'packedLines'>;

type OptionalSeller<I extends { readonly seller: unknown }> = Omit<I, 'seller'> & Partial<Pick<I, 'seller'>>;

export function listedInvoice(item: Item): OptionalSeller<ListedInvoice> {
  return v.parse(storedHead, item);
}

/** @returns undefined when the lines were replaced after the head was read */
export async function storedInvoice(item: Item): Promise<OptionalSeller<StoredInvoice> | undefined> {
  const { lineItems, ...found } = v.parse(storedHead, item);
  const lines = lineItems ?? (await readLines(found));
  return lines && { ...found, lineItems: lines };
}

const part = v.object({ sk: v.string(), packed: v.instance(Uint8Array) });

const lines = v.array(storedLine);

async function readLines(found: Pick<Head, 'organizationId' | 'id' | 'packedLines'>): Promise<LineItem[] | undefined> {
  const keys = partKeys(found);
  const parts = (await batchGet(keys)).map((item) => v.parse(part, item));
  const packed = keys.flatMap(({ sk }) => parts.find((each) => each.sk === sk)?.packed ?? []);
  return packed.length < keys.length ? undefined : v.parse(lines, await unpack(packed));
}

function partKeys({ organizationId, id, packedLines }: Pick<Head, 'organizationId' | 'id' | 'packedLines'>): Key[] {
  if (!packedLines) return [];
  return Array.from({ length: packedLines.parts }, (_, i) => invoiceLinesKey(organizationId, id, packedLines.id, i));
}

/** A page of a hundred such invoices fits into a response many times over. */
const MAX_INLINE_BYTES = 8_000;

/** A transaction has 4 MB; the rest is for the other items. */
const MAX_PACKED_BYTES = 2_000_000;

interface PlacedLines {
  readonly attributes: Pick<Head, 'packedLines'> & {
    readonly lineItems?: readonly Readonly<Record<string, unknown>>[];
  };
  readonly puts: readonly TransactItem[];
}

async function placeLines({ organizationId, id, ...invoice }: Invoice, linesId: string): Promise<PlacedLines> {
  const lineItems = withoutNulls(invoice.lineItems);
  const bytes = Buffer.byteLength(JSON.stringify(lineItems));
  if (bytes <= MAX_INLINE_BYTES) return { attributes: { lineItems }, puts: [] };
  const parts = await pack(lineItems);
  const packedBytes = parts.reduce((sum, { length }) => sum + length, 0);
  if (packedBytes > MAX_PACKED_BYTES) throw invoiceTooLarge('Its lines take more than 2 MB when they are packed.');
  return {
    attributes: { packedLines: { id: linesId, parts: parts.length } },
    puts: parts.map((packed, i) => put({ ...invoiceLinesKey(organizationId, id, linesId, i), packed })),
  };
}

export async function insertion(invoice: Invoice, holdId: string | null): Promise<TransactItem[]> {
  const { attributes, puts } = await placeLines(invoice, invoice.id);
  return [put({ ...headItem(invoice, holdId), ...attributes }, IS_ABSENT), ...puts];
}

/** Keeps the lines. The first write is that of the head, which fails if the invoice has changed meanwhile. */
export function headReplacement(
  before: StoredInvoice,
  after: Invoice,
  holdId: string | null = before.holdId,
): TransactItem {
  const place = before.packedLines
    ? { packedLines: before.packedLines }
    : { lineItems: withoutNulls(before.lineItems) };
  return put({ ...headItem(after, holdId), ...place }, unchangedSince(before));
}

export async function replacement(
  before: StoredInvoice,
  after: Invoice,
  holdId: string | null,
  linesId: string,
): Promise<TransactItem[]> {
  const { attributes, puts } = await placeLines(after, linesId);
  const head = put({ ...headItem(after, holdId), ...attributes }, unchangedSince(before));
  return [head, ...puts, ...lineDeletions(before)];
}

export function headCheck(invoice: StoredInvoice): TransactItem {
  return check(invoiceKey(invoice.organizationId, invoice.id), unchangedSince(invoice));
}

/** The first write fails if the invoice has changed meanwhile. */
export function deletion(invoice: StoredInvoice): TransactItem[] {
  const head = remove(invoiceKey(invoice.organizationId, invoice.id), unchangedSince(invoice));
  return [head, ...lineDeletions(invoice)];
}

function lineDeletions(invoice: StoredInvoice): TransactItem[] {
  return partKeys(invoice).map((key) => remove(key));
}

const headOnly = v.omit(head, ['lineItems', 'packedLines']);

function headItem(invoice: Invoice, holdId: string | null) {
  const { organizationId, id, number, status, seller: ownSeller, customer: ownCustomer, notes } = invoice;
  return {
    ...invoiceKey(organizationId, id),
    ...withoutNulls(v.parse(headOnly, { ...invoice, version: newVersion(), holdId })),
    ...(status !== 'draft' && { seller: withoutNulls(ownSeller) }),
    ...invoiceOrders(invoice),
    foldedNumber: fold(number ?? ''),
    foldedCustomer: fold(ownCustomer.name),
    foldedNotes: fold(notes ?? ''),
  };
}
