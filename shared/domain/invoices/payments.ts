import { type Decimal, exactMinor, formatMinor, minorDigits, parseMinor } from '#shared/domain/money.ts';
import { fault, Problem } from '#shared/domain/problems.ts';
import type { IsoDate } from '#shared/domain/tracker/work-time.ts';
import type { Invoice, Payment } from './invoice.ts';
import { assertLegal } from './steps.ts';

export interface PaymentDraft {
  readonly amount: Decimal;
  readonly date: IsoDate;
  readonly method: string | null;
  readonly reference: string | null;
}

export interface Recorded {
  readonly invoice: Invoice;
  readonly payment: Payment | null;
}

type Payable = Pick<Invoice, 'status' | 'currency' | 'total' | 'amountPaid' | 'creditedTotal'>;

/** Nothing is due on a void invoice. */
export function amountDueOf(invoice: Payable): string {
  return formatMinor(dueMinor(invoice), invoice.currency);
}

/** The payments beyond the rest that credits leave. */
export function amountToRefundOf(invoice: Payable): string {
  return formatMinor(refundableMinor(invoice), invoice.currency);
}

function dueMinor(invoice: Payable): bigint {
  const openMinor = openMinorOf(invoice);
  return openMinor > 0n ? openMinor : 0n;
}

function refundableMinor(invoice: Payable): bigint {
  const openMinor = openMinorOf(invoice);
  return openMinor < 0n ? -openMinor : 0n;
}

/** Negative where more was paid than credits leave. */
function openMinorOf({ status, total, amountPaid, creditedTotal }: Payable): bigint {
  return status === 'void' ? 0n : parseMinor(total) - parseMinor(creditedTotal) - parseMinor(amountPaid);
}

/** Refunds have room of their own, so that what was paid can go back. */
const KINDS = {
  payment: { step: 'recordPayment', most: 100, of: 'payments' },
  refund: { step: 'refund', most: 200, of: 'payments and refunds' },
} as const satisfies Record<Payment['kind'], object>;

/**
 * @throws Problem `invoice_state_forbids`, `invalid_payment_amount`, `payment_exceeds_due`, `refund_exceeds_credit`,
 *   `too_many_payments`
 */
export function recordPayment(
  invoice: Invoice,
  kind: Payment['kind'],
  draft: PaymentDraft,
  id: string,
  now: Date,
): Recorded & { readonly payment: Payment } {
  assertLegal(invoice, KINDS[kind].step);
  return recorded(invoice, kind, draft, id, now);
}

/** An invoice with nothing due becomes paid without a payment. */
export function payRest(invoice: Invoice, date: IsoDate, id: string, now: Date): Recorded {
  assertLegal(invoice, 'pay');
  if (dueMinor(invoice) === 0n) return { invoice: withPaid(invoice, 0n, 0, now), payment: null };
  return recorded(invoice, 'payment', { amount: amountDueOf(invoice), date, method: null, reference: null }, id, now);
}

function recorded(invoice: Invoice, kind: Payment['kind'], draft: PaymentDraft, id: string, now: Date) {
  const amountMinor = exactAmount(draft.amount, invoice);
  if (kind === 'refund') assertRefundable(amountMinor, invoice);
  else assertDue(amountMinor, invoice);
  const { most, of } = KINDS[kind];
  if (invoice.paymentCount >= most) throw fault('too_many_payments', '', `An invoice has at most ${most} ${of}.`);
  const { date, method, reference } = draft;
  const amount = formatMinor(amountMinor, invoice.currency);
  return {
    invoice: withPaid(invoice, kind === 'refund' ? -amountMinor : amountMinor, 1, now),
    payment: { id, kind, amount, date, method, reference, createdAt: now.toISOString() },
  };
}

function exactAmount(amount: string, { currency }: Invoice): bigint {
  const amountMinor = exactMinor(amount, currency);
  if (amountMinor !== undefined) return amountMinor;
  const message = `An amount in ${currency} has at most ${minorDigits(currency)} digits after the point.`;
  throw fault('invalid_payment_amount', 'amount', message);
}

function assertDue(amountMinor: bigint, invoice: Invoice): void {
  if (amountMinor <= dueMinor(invoice)) return;
  throw fault('payment_exceeds_due', 'amount', `Only ${amountDueOf(invoice)} ${invoice.currency} is due.`);
}

function assertRefundable(amountMinor: bigint, invoice: Invoice): void {
  if (amountMinor <= refundableMinor(invoice)) return;
  const message = `Only ${amountToRefundOf(invoice)} ${invoice.currency} is to be refunded.`;
  throw fault('refund_exceeds_credit', 'amount', message);
}

/**
 * A paid invoice returns to `sent`, unless it still has nothing due.
 *
 * @throws Problem `invoice_state_forbids`, `payment_refunded`
 */
export function takePaymentBack(invoice: Invoice, { kind, amount }: Payment, now: Date): Invoice {
  assertLegal(invoice, 'takePaymentBack');
  const amountMinor = parseMinor(amount);
  if (kind === 'refund') return withPaid(invoice, amountMinor, -1, now);
  if (parseMinor(invoice.amountPaid) < amountMinor) {
    const detail = 'More was refunded than would be left of the payments: take the refund back first.';
    throw new Problem('payment_refunded', { detail });
  }
  return withPaid(invoice, -amountMinor, -1, now);
}

function withPaid(invoice: Invoice, changeMinor: bigint, countChange: number, now: Date): Invoice {
  const amountPaid = formatMinor(parseMinor(invoice.amountPaid) + changeMinor, invoice.currency);
  return settled({ ...invoice, amountPaid, paymentCount: invoice.paymentCount + countChange }, now);
}

/** With the status that follows from what is due. One that was paid before keeps the moment. */
export function settled(invoice: Invoice, now: Date): Invoice {
  const updatedAt = now.toISOString();
  if (invoice.status === 'credited') return { ...invoice, updatedAt };
  const isPaid = dueMinor(invoice) === 0n;
  return {
    ...invoice,
    status: isPaid ? 'paid' : 'sent',
    paidAt: isPaid ? (invoice.paidAt ?? updatedAt) : null,
    updatedAt,
  };
}
