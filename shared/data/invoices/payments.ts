import * as v from 'valibot';
import { invoiceKey, paymentKey, paymentPartition } from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { requireItem } from '#shared/data/table/item.ts';
import { assertKnown, known } from '#shared/data/table/known.ts';
import { days, nullableTexts, texts } from '#shared/data/table/members.ts';
import { readPage } from '#shared/data/table/offset-page.ts';
import { transact, type Write } from '#shared/data/table/transaction.ts';
import { EXISTS, put, remove } from '#shared/data/table/writes.ts';
import { type Invoice, PAYMENT_KINDS, type Payment } from '#shared/domain/invoices/invoice.ts';
import type { Recorded } from '#shared/domain/invoices/payments.ts';
import type { Listed, Slice } from '#shared/domain/page.ts';
import { headReplacement, type StoredInvoice } from './invoice-items.ts';

/**
 * The head of the invoice holds sum and number of payments: of two at once, its version lets the second start again.
 */

export async function savePayment(
  before: StoredInvoice,
  { invoice, payment }: Recorded,
  others: readonly Write[],
): Promise<void> {
  const paid = payment
    ? [put({ ...paymentKey(before.organizationId, before.id, payment.id), ...payment }, fromItem)]
    : [];
  await transact([...headReplacement(before, invoice), ...paid, ...others]);
}

/** To take it back: what it did to the sum that is paid, its kind tells. @throws Problem `not_found` */
export async function readPayment({ organizationId, id }: InvoiceId, paymentId: string): Promise<Payment> {
  const item = await requireItem(paymentKey(organizationId, id, paymentId));
  assertKnown(PAYMENT_KINDS, item.kind);
  return fromItem(item);
}

/** @throws ConditionFailed when the invoice has changed since it was read, or the payment is gone */
export async function removePayment(
  before: StoredInvoice,
  after: Invoice,
  paymentId: string,
  others: readonly Write[],
): Promise<void> {
  const gone = remove(paymentKey(before.organizationId, before.id, paymentId), EXISTS);
  await transact([...headReplacement(before, after), gone, ...others]);
}

interface InvoiceId {
  readonly organizationId: string;
  readonly id: string;
}

export async function requireInvoice(organizationId: string, id: string): Promise<InvoiceId> {
  await requireItem(invoiceKey(organizationId, id));
  return { organizationId, id };
}

/** Newest first. An invoice has so few that reading all of them counts them. */
export function readPaymentPage({ organizationId, id }: InvoiceId, { limit, offset }: Slice): Promise<Listed<Payment>> {
  return readPage({ partition: paymentPartition(organizationId, id), limit, offset }, fromItem);
}

export async function readPayments({ organizationId, id, paymentCount }: Invoice): Promise<Payment[]> {
  if (paymentCount === 0) return [];
  const partition = paymentPartition(organizationId, id);
  return (await readCollection({ partition, direction: 'asc' })).map(fromItem);
}

const stored = v.object({
  ...texts('id', 'amount', 'createdAt'),
  ...days('date'),
  ...nullableTexts('method', 'reference'),
  kind: known(PAYMENT_KINDS, 'payment'),
});

const fromItem = v.parser(stored);
