import { deletePayment } from '#shared/contract/invoices/delete-payment.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { readPayment, removePayment } from '#shared/data/invoices/payments.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { takePaymentBack } from '#shared/domain/invoices/payments.ts';
import { implement } from '#shared/http/implement.ts';

/** DELETE /invoices/{id}/payments/{paymentId}: deletes a payment. A paid invoice returns to `sent`. */
export const handler = implement(deletePayment, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  run: ({ params, now, fresh }) =>
    retrying(fresh, async (invoice) => {
      const payment = await readPayment(invoice, params.paymentId);
      await removePayment(invoice, takePaymentBack(invoice, payment, now), payment.id);
      return payment.id;
    }),
});
