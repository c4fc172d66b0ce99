import { deletePayment } from '#shared/contract/invoices/delete-payment.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { readPayment, removePayment } from '#shared/data/invoices/payments.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { takePaymentBack } from '#shared/domain/invoices/payments.ts';
import { implement } from '#shared/http/implement.ts';
import { showInvoice } from '#shared/work/invoices/show-invoice.ts';

/** DELETE /invoices/{id}/payments/{paymentId}: deletes a payment or a refund. A paid invoice may return to `sent`. */
export const handler = implement(deletePayment, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  show: showInvoice,
  run: ({ params, now, fresh, answer }) =>
    retrying(fresh, async (invoice) => {
      const payment = await readPayment(invoice, params.paymentId);
      const after = takePaymentBack(invoice, payment, now);
      const deleted = happening('payment.deleted', { ...payment, invoiceId: invoice.id });
      // A refund that is taken back may leave nothing due.
      const turned = happening(after.status === 'paid' ? 'invoice.paid' : 'invoice.reopened', invoice);
      const happenings = after.status === invoice.status ? [deleted] : [deleted, turned];
      await removePayment(invoice, after, payment.id, await answer(payment.id, ...happenings));
      return payment.id;
    }),
});
