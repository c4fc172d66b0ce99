import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { E_INVOICE_PROBLEMS, pdfQuery } from '#shared/contract/invoices/e-invoice.ts';
import { PDF_WEIGHT } from '#shared/contract/weight.ts';

export const getCreditNotePdf = defineEndpoint({
  operationId: 'getCreditNotePdf',
  method: 'GET',
  path: '/credit-notes/{id}/pdf',
  area: 'invoices',
  summary: 'Get a credit note as a PDF',
  description:
    'It names the invoice that it corrects, with its date. `profile=factur-x` gives a PDF/A-3 that contains the e-invoice.',
  scope: 'invoices:read',
  weight: PDF_WEIGHT,
  query: pdfQuery,
  response: { kind: 'raw', contentTypes: ['application/pdf'] },
  problems: E_INVOICE_PROBLEMS,
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  ownConcurrency: 20,
  example: {},
});
