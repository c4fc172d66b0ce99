import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { exampleInvoice } from '#shared/contract/invoices/examples.ts';
import { invoice } from '#shared/contract/invoices/invoice.ts';
import { documentWeight } from '#shared/contract/weight.ts';

export const getInvoice = defineEndpoint({
  operationId: 'getInvoice',
  method: 'GET',
  path: '/invoices/{id}',
  area: 'invoices',
  summary: 'Get an invoice',
  scope: 'invoices:read',
  weight: documentWeight,
  response: { kind: 'resource', status: 200, schema: invoice },
  example: { response: exampleInvoice },
});
