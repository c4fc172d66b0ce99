import { updateInvoice } from '#shared/contract/invoices/invoices.ts';
import { changeInvoice, readInvoice } from '#shared/data/invoices/invoices.ts';
import { redraftInvoice } from '#shared/domain/invoices/invoice-draft.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import { implement } from '#shared/http/implement.ts';
import { replaceLines } from '#shared/work/invoices/replace-lines.ts';

/** PATCH /invoices/{id}: changes the members of a draft that are sent. Lines are replaced as a whole. */
export const handler = implement(updateInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  show: (invoice, now) => presentInvoice(invoice, dateOf(now)),
  run: async ({ resource, body: { lineItems: drafts, ...changes }, now, newId, remainingMilliseconds }) => {
    if (!drafts) {
      const changed = await changeInvoice(resource, (current) => redraftInvoice(current, changes, undefined, now));
      return presentInvoice(changed, dateOf(now));
    }
    const changed = await replaceLines(resource, {
      drafts,
      revise: (current, lineItems) => redraftInvoice(current, changes, lineItems, now),
      newId,
      remainingMilliseconds,
    });
    return presentInvoice(changed, dateOf(now));
  },
});
