import { checkEInvoice } from '#shared/contract/invoices/check-e-invoice.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { invoiceAsSent } from '#shared/domain/invoices/printed-invoice.ts';
import { assertLegal } from '#shared/domain/invoices/steps.ts';
import { eInvoiceCheckOf } from '#shared/e-invoice/e-invoice.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /invoices/{id}/e-invoice/check: what a receiver would refuse, also in a draft. */
export const handler = implement(checkEInvoice, async ({ params, query, principal }) => {
  const invoice = await readInvoice(principal.organizationId, params.id);
  assertLegal(invoice, 'checkEInvoice');
  return eInvoiceCheckOf(invoiceAsSent(invoice), query.format);
});
