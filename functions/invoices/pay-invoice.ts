import { payInvoice } from '#shared/contract/invoices/pay-invoice.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { savePayment } from '#shared/data/invoices/payments.ts';
import { readOrganizationZone } from '#shared/data/organization/time-zones.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { payRest } from '#shared/domain/invoices/payments.ts';
import { dateIn } from '#shared/domain/time-zone.ts';
import { implement } from '#shared/http/implement.ts';
import { finalLines } from '#shared/work/invoices/final-lines.ts';
import { showInvoice } from '#shared/work/invoices/show-invoice.ts';

/** POST /invoices/{id}/pay: records one payment of what is still due. The invoice is paid then. */
export const handler = implement(payInvoice, {
  load: async ({ params, principal: { organizationId } }) => {
    const [invoice, zone] = await Promise.all([
      readInvoice(organizationId, params.id),
      readOrganizationZone(organizationId),
    ]);
    return { invoice, zone };
  },
  show: ({ invoice }, now) => showInvoice(invoice, now),
  omission: finalLines,
  run: ({ now, newId, fresh, answer }) =>
    retrying(fresh, async ({ invoice, zone }) => {
      const paid = payRest(invoice, dateIn(zone, now), newId(), now);
      const { payment } = paid;
      const created = payment ? [happening('payment.created', { ...payment, invoiceId: invoice.id })] : [];
      const shown = await showInvoice(paid.invoice, now);
      await savePayment(invoice, paid, await answer(shown, ...created, happening('invoice.paid', invoice)));
      return shown;
    }),
});
