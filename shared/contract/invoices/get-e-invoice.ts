import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { E_INVOICE_PROBLEMS, FILE, formatQuery } from '#shared/contract/invoices/e-invoice.ts';
import { E_INVOICE_WEIGHT } from '#shared/contract/weight.ts';

export const getEInvoice = defineEndpoint({
  operationId: 'getEInvoice',
  method: 'GET',
  path: '/invoices/{id}/e-invoice',
  area: 'invoices',
  summary: 'Get an invoice as an e-invoice',
  description:
    'The invoice as it was sent, for programs: payments and credits that came later are not in it, so it never changes. An invoice that breaks a rule of the format is refused with all faults. Tax always fits the rules with `taxRounding: rate`, but not always with `line`.',
  scope: 'invoices:read',
  weight: E_INVOICE_WEIGHT,
  query: formatQuery,
  response: FILE,
  problems: ['invoice_state_forbids', ...E_INVOICE_PROBLEMS],
  example: {},
});
