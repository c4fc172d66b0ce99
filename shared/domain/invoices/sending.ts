import { fault } from '#shared/domain/problems.ts';
import type { Invoice } from './invoice.ts';
import { assertLegal } from './steps.ts';

/** @throws Problem `invoice_state_forbids`, `tax_reason_missing` */
export function asSent(invoice: Invoice, number: string, now: Date, numberPlace: string | null = null): Invoice {
  assertLegal(invoice, 'send');
  assertExemptionsExplained(invoice);
  return { ...invoice, status: 'sent', number, numberPlace, sentAt: now.toISOString(), updatedAt: now.toISOString() };
}

function assertExemptionsExplained({ lineItems }: Invoice): void {
  const position = lineItems.findIndex(
    ({ taxCategory, taxExemptionReason }) => taxCategory === 'exempt' && taxExemptionReason === null,
  );
  if (position === -1) return;
  const path = `lineItems.${position}.taxExemptionReason`;
  throw fault('tax_reason_missing', path, 'An exempt line needs the reason why no tax is due.');
}

export function asVoid(invoice: Invoice, now: Date): Invoice {
  assertLegal(invoice, 'void');
  return { ...invoice, status: 'void', voidedAt: now.toISOString(), updatedAt: now.toISOString() };
}
