import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { CHECK, exampleCheck, formatQuery } from '#shared/contract/invoices/e-invoice.ts';

export const checkEInvoice = defineEndpoint({
  operationId: 'checkEInvoice',
  method: 'GET',
  path: '/invoices/{id}/e-invoice/check',
  area: 'invoices',
  summary: 'Check whether an invoice can be an e-invoice',
  description:
    'Drafts can be checked too, so that nothing is missing when they are sent. A file of more than 6 MB is refused only when it is made or sent.',
  scope: 'invoices:read',
  query: formatQuery,
  response: CHECK,
  problems: ['invoice_state_forbids'],
  example: { response: exampleCheck },
});
