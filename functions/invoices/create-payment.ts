import { createPayment } from '#shared/contract/invoices/create-payment.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { savePayment } from '#shared/data/invoices/payments.ts';
import { readToday } from '#shared/data/organization/time-zones.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { assertPaymentDate } from '#shared/domain/invoices/document-dates.ts';
import { recordPayment } from '#shared/domain/invoices/payments.ts';
import { implement } from '#shared/http/implement.ts';
import { showInvoice } from '#shared/work/invoices/show-invoice.ts';

/** POST /invoices/{id}/payments: records a payment of a sent invoice, which is paid once nothing is due. */
export const handler = implement(createPayment, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  show: showInvoice,
  run: async ({ body, principal, now, newId, fresh, answer }) => {
    const today = await readToday(principal.organizationId, now);
    const date = body.date ?? today;
    return retrying(fresh, async (invoice) => {
      const recorded = recordPayment(invoice, 'payment', { ...body, date }, newId(), now);
      assertPaymentDate(date, today);
      const { payment } = recorded;
      const created = happening('payment.created', { ...payment, invoiceId: invoice.id });
      const paid = recorded.invoice.status === 'paid' ? [happening('invoice.paid', invoice)] : [];
      await savePayment(invoice, recorded, await answer(payment, created, ...paid));
      return payment;
    });
  },
});
