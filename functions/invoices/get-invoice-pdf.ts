import { getInvoicePdf } from '#shared/contract/invoices/invoices.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { readPayments } from '#shared/data/invoices/payments.ts';
import { readOrganization } from '#shared/data/organization/organizations.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { sellerOf } from '#shared/domain/organization/organization.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import { implement } from '#shared/http/implement.ts';
import { renderInvoice } from '#shared/pdf/invoice-pdf.ts';

/** GET /invoices/{id}/pdf: the invoice as it is printed and sent. */
export const handler = implement(getInvoicePdf, async ({ params, principal, now }) => {
  const { organizationId } = principal;
  const [invoice, organization] = await Promise.all([
    readInvoice(organizationId, params.id),
    readOrganization(organizationId),
  ]);
  const payments = await readPayments(invoice);
  return {
    contentType: 'application/pdf',
    body: await renderInvoice({ ...presentInvoice(invoice, dateOf(now)), payments, seller: sellerOf(organization) }),
    headers: { 'content-disposition': `inline; filename="${invoice.number ?? 'draft'}.pdf"` },
  };
});
