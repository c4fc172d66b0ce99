import { sendInvoice } from '#shared/contract/invoices/send-invoice.ts';
import { readInvoice, saveSent } from '#shared/data/invoices/invoices.ts';
import { readLastNumber } from '#shared/data/invoices/numbers.ts';
import { readDating } from '#shared/data/organization/time-zones.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { assertIssueDate } from '#shared/domain/invoices/document-dates.ts';
import { invoiceAsSent } from '#shared/domain/invoices/printed-invoice.ts';
import { asSent, invoiceNumber } from '#shared/domain/invoices/sending.ts';
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
      const [last, dating] = await Promise.all([
        readLastNumber('invoice', organizationId),
        readDating(organizationId, now),
      ]);
      const sent = asSent(draft, invoiceNumber(last.last + 1), now);
      assertIssueDate(sent.issueDate, dating, last.issueDate);
      assertGoodForCustomer(invoiceAsSent(sent));
      const shown = await showInvoice(sent, now);
      await saveSent(draft, sent, last, await answer(shown, happening('invoice.sent', sent)));
      return shown;
    }),
});
