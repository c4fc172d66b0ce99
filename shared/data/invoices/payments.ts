import * as v from 'valibot';
import { payment as paymentSchema } from '#shared/contract/invoices/payments.ts';
import type { Listed } from '#shared/contract/pagination.ts';
import { type Item, readCollection } from '#shared/data/dynamo/collection.ts';
import { TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { readItem } from '#shared/data/dynamo/item.ts';
import { invoiceKey, paymentKey, paymentPartition } from '#shared/data/dynamo/keys.ts';
import { readPage } from '#shared/data/dynamo/offset-page.ts';
import { transact } from '#shared/data/dynamo/transaction.ts';
import type { Invoice, Payment } from '#shared/domain/invoices/invoice.ts';
import type { Recorded } from '#shared/domain/invoices/payments.ts';
import { notFound } from '#shared/domain/problems.ts';
import { headReplacement, type StoredInvoice } from './invoice-items.ts';
import { withFresh } from './invoices.ts';

/**
 * Payments in the table. One transaction writes a payment and the head of its invoice, which holds their sum and their
 * number. The head's version is the condition, so of two payments at once the second starts from what the first left.
 */

/**
 * @param record makes the invoice and the payment from the present invoice
 * @throws Problem `not_found` when the invoice was deleted meanwhile, and what `record` throws
 */
export function insertPayment<R extends Recorded>(invoice: StoredInvoice, record: (current: Invoice) => R): Promise<R> {
  return withFresh(invoice, async (current) => {
    const recorded = record(current);
    const { organizationId, id } = current;
    const { payment } = recorded;
    const put = payment && {
      TableName: TABLE_NAME,
      Item: { ...paymentKey(organizationId, id, payment.id), ...payment },
    };
    await transact([headReplacement(current, recorded.invoice), ...(put ? [{ Put: put }] : [])]);
    return recorded;
  });
}

/**
 * @param takeBack makes the invoice without the payment
 * @throws Problem `not_found` when the invoice has no such payment, or not any more; and what `takeBack` throws
 */
export async function removePayment(
  invoice: StoredInvoice,
  paymentId: string,
  takeBack: (current: Invoice, payment: Payment) => Invoice,
): Promise<void> {
  await withFresh(invoice, async (current) => {
    const Key = paymentKey(current.organizationId, current.id, paymentId);
    const item = await readItem(Key);
    if (!item) throw notFound();
    await transact([
      headReplacement(current, takeBack(current, fromItem(item))),
      { Delete: { TableName: TABLE_NAME, Key, ConditionExpression: 'attribute_exists(pk)' } },
    ]);
  });
}

interface InvoiceId {
  readonly organizationId: string;
  readonly id: string;
}

/** An invoice whose payments are wanted, and nothing else of it. @throws Problem `not_found` */
export async function requireInvoice(organizationId: string, id: string): Promise<InvoiceId> {
  if (!(await readItem(invoiceKey(organizationId, id)))) throw notFound();
  return { organizationId, id };
}

/** A page of payments, newest first. An invoice has so few that reading all of them counts them. */
export function readPaymentPage(
  { organizationId, id }: InvoiceId,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Listed<Payment>> {
  return readPage({ partition: paymentPartition(organizationId, id), limit, offset }, fromItem);
}

/** All payments of an invoice, the first one first. */
export async function readPayments({ organizationId, id, paymentCount }: Invoice): Promise<Payment[]> {
  if (paymentCount === 0) return [];
  const partition = paymentPartition(organizationId, id);
  return (await readCollection({ partition, direction: 'asc' })).map(fromItem);
}

function fromItem(item: Item): Payment {
  return v.parse(paymentSchema, item);
}
