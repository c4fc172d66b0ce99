import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { CHECK, exampleCheck, formatQuery } from '#shared/contract/invoices/e-invoice.ts';

export const checkCreditNoteEInvoice = defineEndpoint({
  operationId: 'checkCreditNoteEInvoice',
  method: 'GET',
  path: '/credit-notes/{id}/e-invoice/check',
  area: 'invoices',
  summary: 'Check whether a credit note can be an e-invoice',
  scope: 'invoices:read',
  query: formatQuery,
  response: CHECK,
  example: { response: exampleCheck },
});
