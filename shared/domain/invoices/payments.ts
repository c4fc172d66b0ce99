import { type Decimal, exactMinor, formatMinor, minorDigits, parseMinor } from '#shared/domain/money.ts';
import { fault } from '#shared/domain/problems.ts';
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

type Payable = Pick<Invoice, 'status' | 'currency' | 'total' | 'amountPaid'>;

/** Nothing is due on a void invoice. */
export function amountDueOf(invoice: Payable): string {
  return formatMinor(dueMinor(invoice), invoice.currency);
}

function dueMinor({ status, total, amountPaid }: Payable): bigint {
  return status === 'void' ? 0n : parseMinor(total) - parseMinor(amountPaid);
}

const MAX_PAYMENTS = 100;

/** @throws Problem `invoice_state_forbids`, `invalid_payment_amount`, `payment_exceeds_due`, `too_many_payments` */
export function recordPayment(
  invoice: Invoice,
  draft: PaymentDraft,
  id: string,
  now: Date,
): Recorded & { readonly payment: Payment } {
  assertLegal(invoice, 'recordPayment');
  return recorded(invoice, draft, id, now);
}

/** An invoice with nothing due becomes paid without a payment. */
export function payRest(invoice: Invoice, date: IsoDate, id: string, now: Date): Recorded {
  assertLegal(invoice, 'pay');
  if (dueMinor(invoice) === 0n) return { invoice: withPaid(invoice, 0n, 0, now), payment: null };
  return recorded(invoice, { amount: amountDueOf(invoice), date, method: null, reference: null }, id, now);
}

function recorded(invoice: Invoice, draft: PaymentDraft, id: string, now: Date) {
  const amountMinor = paymentMinor(draft.amount, invoice);
  if (invoice.paymentCount >= MAX_PAYMENTS) {
    throw fault('too_many_payments', '', `An invoice has at most ${MAX_PAYMENTS} payments.`);
  }
  const { date, method, reference } = draft;
  const amount = formatMinor(amountMinor, invoice.currency);
  return {
    invoice: withPaid(invoice, amountMinor, 1, now),
    payment: { id, amount, date, method, reference, createdAt: now.toISOString() },
  };
}

function paymentMinor(amount: string, invoice: Invoice): bigint {
  const { currency } = invoice;
  const amountMinor = exactMinor(amount, currency);
  if (amountMinor === undefined) {
    const message = `An amount in ${currency} has at most ${minorDigits(currency)} digits after the point.`;
    throw fault('invalid_payment_amount', 'amount', message);
  }
  if (amountMinor > dueMinor(invoice)) {
    throw fault('payment_exceeds_due', 'amount', `Only ${amountDueOf(invoice)} ${currency} is due.`);
  }
  return amountMinor;
}

/** A paid invoice returns to `sent`. */
export function takePaymentBack(invoice: Invoice, { amount }: Payment, now: Date): Invoice {
  assertLegal(invoice, 'takePaymentBack');
  return withPaid(invoice, -(exactMinor(amount, invoice.currency) ?? 0n), -1, now);
}

function withPaid(invoice: Invoice, changeMinor: bigint, countChange: number, now: Date): Invoice {
  const amountPaid = formatMinor(parseMinor(invoice.amountPaid) + changeMinor, invoice.currency);
  const isPaid = dueMinor({ ...invoice, amountPaid }) === 0n;
  return {
    ...invoice,
    status: isPaid ? 'paid' : 'sent',
    amountPaid,
    paymentCount: invoice.paymentCount + countChange,
    paidAt: isPaid ? now.toISOString() : null,
    updatedAt: now.toISOString(),
  };
}
