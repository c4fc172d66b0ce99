import { getEInvoice } from '#shared/contract/invoices/get-e-invoice.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { invoiceAsSent } from '#shared/domain/invoices/printed-invoice.ts';
import { assertLegal } from '#shared/domain/invoices/steps.ts';
import { fileNameOf } from '#shared/domain/organization/numbering.ts';
import { makeEInvoice } from '#shared/e-invoice/e-invoice.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /invoices/{id}/e-invoice: the invoice as it was sent, for programs. */
export const handler = implement(getEInvoice, async ({ params, query, principal }) => {
  const invoice = await readInvoice(principal.organizationId, params.id);
  assertLegal(invoice, 'makeEInvoice');
  return {
    contentType: 'application/xml',
    body: makeEInvoice(invoiceAsSent(invoice), query.format),
    headers: { 'content-disposition': `attachment; filename="${fileNameOf(invoice.number)}.xml"` },
  };
});
