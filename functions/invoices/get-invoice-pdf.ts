import { getInvoicePdf } from '#shared/contract/invoices/invoices.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { readOrganization } from '#shared/data/organization/organizations.ts';
import { implement } from '#shared/http/implement.ts';
import { renderInvoice } from '#shared/pdf/invoice-pdf.ts';

/** GET /invoices/{id}/pdf: the invoice as it is printed and sent. */
export const handler = implement(getInvoicePdf, async ({ params, principal }) => {
  const { organizationId } = principal;
  const [invoice, { name }] = await Promise.all([
    readInvoice(organizationId, params.id),
    readOrganization(organizationId),
  ]);
  return {
    contentType: 'application/pdf',
    body: await renderInvoice(invoice, { name }),
    headers: { 'content-disposition': `inline; filename="${invoice.number ?? 'draft'}.pdf"` },
  };
});
