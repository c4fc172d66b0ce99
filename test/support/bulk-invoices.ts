import { v7 as uuidV7 } from 'uuid';
import { invoicePuts } from '#shared/data/invoices/invoice-items.ts';
import { countKey } from '#shared/data/layout/keys.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { newClient } from '#shared/domain/clients/client.ts';
import { type Invoice, newInvoice } from '#shared/domain/invoices/invoice.ts';
import { lineItemsOf } from '#shared/domain/invoices/line-item.ts';
import { asSent } from '#shared/domain/invoices/sending.ts';
import { NO_SOURCES } from '#test/support/invoice-sources.ts';
import { invoiceNumber } from '#test/support/numbers.ts';
import { organizationOf } from './organization.ts';
import { putItems } from './table-scan.ts';

/** Writes many invoices at once, as the table holds them. */

const CURRENCIES = ['USD', 'JPY', 'BHD'] as const;
const DAYS = Array.from({ length: 28 }, (_, i) => `2026-11-${String(i + 1).padStart(2, '0')}`);

/**
 * An invoice with everything that a list can be ordered by. Values repeat, and some invoices have no
 * due date or no number.
 */
export function makeInvoice(organizationId: string, position: number, createdAt: number): Invoice {
  const now = new Date(createdAt);
  const currency = CURRENCIES[position % 3] ?? 'USD';
  const client = newClient({ name: `Client ${position % 7}` }, organizationId, uuidV7(), now);
  const price = `${(position * 7_919) % 1_200}.${position % 10}`;
  const lineItems = lineItemsOf([{ name: 'Work', price }], { ...NO_SOURCES, currency, newId: uuidV7 });
  const terms = {
    currency,
    issueDate: DAYS[position % 28],
    dueDate: position % 3 ? `2027-${DAYS[(position * 5) % 28]?.slice(5)}` : null,
    notes: `Note ${position}`,
  };
  const draft = newInvoice(
    terms,
    { organization: organizationOf({ id: organizationId }), client },
    lineItems,
    uuidV7({ msecs: createdAt }),
    now,
  );
  return position % 4 ? asSent(draft, invoiceNumber(position + 1), now) : draft;
}

/** Writes the invoices past all rules, and counts them. */
export async function storeInvoices(organizationId: string, invoices: readonly Invoice[]): Promise<void> {
  const puts = (await Promise.all(invoices.map((invoice) => invoicePuts(invoice, null)))).flat();
  await putItems(puts.flatMap(({ Put }) => Put?.Item ?? []));
  await transact([increase(countKey(organizationId, 'INVOICE'), { all: invoices.length })]);
}
