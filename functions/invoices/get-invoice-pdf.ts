import { getInvoicePdf } from '#shared/contract/invoices/invoices.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { readPayments } from '#shared/data/invoices/payments.ts';
import { showInvoice } from '#shared/data/invoices/shown-invoices.ts';
import { implement } from '#shared/http/implement.ts';
import { renderInvoice } from '#shared/pdf/invoice-pdf.ts';

/** GET /invoices/{id}/pdf: the invoice as it is printed and sent. */
export const handler = implement(getInvoicePdf, async ({ params, principal, now, remainingMilliseconds }) => {
  const invoice = await readInvoice(principal.organizationId, params.id);
  const payments = await readPayments(invoice);
  return {
    contentType: 'application/pdf',
    body: await renderInvoice({ ...(await showInvoice(invoice, now)), payments }, remainingMilliseconds),
    headers: { 'content-disposition': `inline; filename="${invoice.number ?? 'draft'}.pdf"` },
  };
});
