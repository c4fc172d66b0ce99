import { deletePayment } from '#shared/contract/invoices/payments.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { removePayment } from '#shared/data/invoices/payments.ts';
import { takePaymentBack } from '#shared/domain/invoices/payments.ts';
import { implement } from '#shared/http/implement.ts';

/** DELETE /invoices/{id}/payments/{paymentId}: takes a payment back. A paid invoice is sent again. */
export const handler = implement(deletePayment, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  run: async ({ resource, params, now }) => {
    await removePayment(resource, params.paymentId, (current, payment) => takePaymentBack(current, payment, now));
    return params.paymentId;
  },
});
