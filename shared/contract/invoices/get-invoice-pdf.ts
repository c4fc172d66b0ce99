import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { E_INVOICE_PROBLEMS, pdfQuery } from '#shared/contract/invoices/e-invoice.ts';
import { PDF_WEIGHT } from '#shared/contract/weight.ts';

export const getInvoicePdf = defineEndpoint({
  operationId: 'getInvoicePdf',
  method: 'GET',
  path: '/invoices/{id}/pdf',
  area: 'invoices',
  summary: 'Get an invoice as a PDF',
  description:
    'An invoice in any state has a PDF; drafts and void invoices are marked. `profile=factur-x` gives the invoice as it was sent, without payments and credits: a PDF/A-3 that contains the e-invoice with the same figures.',
  scope: 'invoices:read',
  weight: PDF_WEIGHT,
  query: pdfQuery,
  response: { kind: 'raw', contentTypes: ['application/pdf'] },
  problems: ['invoice_state_forbids', ...E_INVOICE_PROBLEMS],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  ownConcurrency: 20,
  example: {},
});
