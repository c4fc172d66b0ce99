import { getInvoicePdf } from '#shared/contract/invoices/get-invoice-pdf.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { readLogo } from '#shared/data/organization/logos.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import { invoiceAsSent } from '#shared/domain/invoices/printed-invoice.ts';
import { assertLegal } from '#shared/domain/invoices/steps.ts';
import { assertScope } from '#shared/domain/keys/api-key.ts';
import { fileNameOf } from '#shared/domain/organization/numbering.ts';
import { makeFacturXFile } from '#shared/e-invoice/e-invoice.ts';
import { implement } from '#shared/http/implement.ts';
import { renderInvoice } from '#shared/pdf/invoice-pdf.ts';
import { readHours } from '#shared/work/invoices/invoice-hours.ts';
import { printedNow } from '#shared/work/invoices/show-invoice.ts';

/** GET /invoices/{id}/pdf: the invoice as it is printed and sent. */
export const handler = implement(getInvoicePdf, async ({ params, query, principal, now, pay }) => {
  if (query.hours) assertScope(principal.scopes, 'tracker:read');
  const invoice = await readInvoice(principal.organizationId, params.id);
  const wish = { hours: query.profile ? false : query.hours, principal, pay };
  const [logo, hours] = await Promise.all([
    readLogo(invoice.organizationId, invoice.seller.logo),
    readHours(invoice, wish),
  ]);
  return {
    contentType: 'application/pdf',
    body: query.profile
      ? await renderFacturX(invoice, logo)
      : await renderInvoice(await printedNow(invoice, now), { logo, hours }),
    headers: { 'content-disposition': `inline; filename="${fileNameOf(invoice.number)}.pdf"` },
  };
});

/** The page shows what the file in it says: nothing of what was paid or credited later. */
function renderFacturX(invoice: Invoice, logo: Uint8Array | undefined): Promise<Uint8Array> {
  assertLegal(invoice, 'makeEInvoice');
  const document = invoiceAsSent(invoice);
  return renderInvoice(document, { facturX: makeFacturXFile(document), logo });
}
