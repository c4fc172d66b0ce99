import type { Invoice } from './invoice.ts';
import { assertLegal } from './steps.ts';

export function asSent(invoice: Invoice, number: string, now: Date): Invoice {
  assertLegal(invoice, 'send');
  return { ...invoice, status: 'sent', number, sentAt: now.toISOString(), updatedAt: now.toISOString() };
}

export function asVoid(invoice: Invoice, now: Date): Invoice {
  assertLegal(invoice, 'void');
  return { ...invoice, status: 'void', voidedAt: now.toISOString(), updatedAt: now.toISOString() };
}

const NUMBER_DIGITS = 6;

export function invoiceNumber(position: number): string {
  return `INV-${position.toString().padStart(NUMBER_DIGITS, '0')}`;
}
