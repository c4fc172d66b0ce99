import { updateInvoice } from '#shared/contract/invoices/invoices.ts';
import { readInvoice, saveInvoice } from '#shared/data/invoices/invoices.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { redraftInvoice } from '#shared/domain/invoices/invoice-draft.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import { implement } from '#shared/http/implement.ts';
import { replaceLines } from '#shared/work/invoices/replace-lines.ts';

/** PATCH /invoices/{id}: changes the members of a draft that are sent. Lines are replaced as a whole. */
export const handler = implement(updateInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  show: (invoice, now) => presentInvoice(invoice, dateOf(now)),
  run: ({ body: { lineItems: drafts, ...changes }, now, newId, fresh, remainingMilliseconds }) =>
    retrying(fresh, async (invoice) => {
      if (drafts) {
        const changed = await replaceLines(invoice, { drafts, changes, now, newId, remainingMilliseconds });
        return presentInvoice(changed, dateOf(now));
      }
      const changed = redraftInvoice(invoice, changes, undefined, now);
      await saveInvoice(invoice, changed);
      return presentInvoice(changed, dateOf(now));
    }),
});
