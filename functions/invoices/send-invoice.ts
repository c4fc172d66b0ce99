import { sendInvoice } from '#shared/contract/invoices/send-invoice.ts';
import { readInvoice, saveInvoice } from '#shared/data/invoices/invoices.ts';
import { nextNumber, numberWrites, readNumbers, readSeries } from '#shared/data/invoices/numbers.ts';
import { readDating } from '#shared/data/organization/time-zones.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { assertIssueDate } from '#shared/domain/invoices/document-dates.ts';
import { invoiceAsSent } from '#shared/domain/invoices/printed-invoice.ts';
import { asSent } from '#shared/domain/invoices/sending.ts';
import { assertGoodForCustomer } from '#shared/e-invoice/e-invoice.ts';
import { implement } from '#shared/http/implement.ts';
import { finalLines } from '#shared/work/invoices/final-lines.ts';
import { showInvoice } from '#shared/work/invoices/show-invoice.ts';

/** POST /invoices/{id}/send: gives a draft the next number. From then on the invoice is final. */
export const handler = implement(sendInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  show: showInvoice,
  omission: finalLines,
  run: ({ now, fresh, answer }) =>
    retrying(fresh, async (draft) => {
      const { organizationId } = draft;
      const [numbers, dating] = await Promise.all([
        readNumbers(organizationId, 'INVOICE'),
        readDating(organizationId, now),
      ]);
      const series = await readSeries(numbers, draft.issueDate);
      const { number, numberPlace } = nextNumber(numbers, series, draft.issueDate);
      const sent = asSent(draft, number, now, numberPlace);
      assertIssueDate(sent.issueDate, dating, series.issueDate);
      assertGoodForCustomer(invoiceAsSent(sent));
      const shown = await showInvoice(sent, now);
      const others = await answer(shown, happening('invoice.sent', sent));
      await saveInvoice(draft, sent, [...numberWrites(numbers, series, { ...sent, number }), ...others]);
      return shown;
    }),
});
