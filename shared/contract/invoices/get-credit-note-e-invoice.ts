import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { E_INVOICE_PROBLEMS, FILE, formatQuery } from '#shared/contract/invoices/e-invoice.ts';
import { E_INVOICE_WEIGHT } from '#shared/contract/weight.ts';

export const getCreditNoteEInvoice = defineEndpoint({
  operationId: 'getCreditNoteEInvoice',
  method: 'GET',
  path: '/credit-notes/{id}/e-invoice',
  area: 'invoices',
  summary: 'Get a credit note as an e-invoice',
  description: 'It names the invoice that it corrects. A credit note that breaks a rule of the format is refused.',
  scope: 'invoices:read',
  weight: E_INVOICE_WEIGHT,
  query: formatQuery,
  response: FILE,
  problems: E_INVOICE_PROBLEMS,
  example: {},
});
