import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { limit, offset } from '#shared/contract/fields.ts';
import { examplePayment, payment } from '#shared/contract/invoices/payment.ts';

export const listPayments = defineEndpoint({
  operationId: 'listPayments',
  method: 'GET',
  path: '/invoices/{id}/payments',
  area: 'invoices',
  summary: 'List the payments and refunds of an invoice, newest first',
  scope: 'invoices:read',
  query: v.object({ limit: limit(100, 50), offset }),
  response: { kind: 'list', item: payment },
  example: { response: examplePayment },
});
