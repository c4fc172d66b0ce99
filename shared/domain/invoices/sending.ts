import type { Invoice } from './invoice.ts';
import { assertLegal } from './steps.ts';

/** Sending a draft, which gives it a number, and voiding an invoice that was sent. */

/**
 * The seller and the customer stay as they are on the draft.
 *
 * @param number the organization's next number
 * @throws Problem `invoice_state_forbids`
 */
export function asSent(invoice: Invoice, number: string, now: Date): Invoice {
  assertLegal(invoice, 'send');
  return { ...invoice, status: 'sent', number, sentAt: now.toISOString(), updatedAt: now.toISOString() };
}

/** @throws Problem `invoice_state_forbids`, `invoice_has_payments` */
export function asVoid(invoice: Invoice, now: Date): Invoice {
  assertLegal(invoice, 'void');
  return { ...invoice, status: 'void', voidedAt: now.toISOString(), updatedAt: now.toISOString() };
}

const NUMBER_DIGITS = 6;

/** `INV-000001` is the first. */
export function invoiceNumber(position: number): string {
  return `INV-${position.toString().padStart(NUMBER_DIGITS, '0')}`;
}
