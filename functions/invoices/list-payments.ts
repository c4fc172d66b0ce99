import { listPayments } from '#shared/contract/invoices/list-payments.ts';
import { readPaymentPage, requireInvoice } from '#shared/data/invoices/payments.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /invoices/{id}/payments: lists the payments of an invoice, newest first. */
export const handler = implement(listPayments, {
  load: ({ params, principal }) => requireInvoice(principal.organizationId, params.id),
  run: ({ resource, query }) => readPaymentPage(resource, query),
});
