import * as v from 'valibot';
import { invoice } from '#shared/contract/invoices/invoice.ts';
import type { Omission } from '#shared/data/idempotency/attempts.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';

const { id, lineItems } = invoice.entries;

/** The lines of an invoice never change once it is sent. A long invoice has hundreds of KB of them. */
export const finalLines: Omission = {
  omit: (data) => ({ ...data, lineItems: [] }),
  restore: async (data, { organizationId }) => {
    const shown = v.parse(v.object({ id }), data);
    const present = presentInvoice(await readInvoice(organizationId, shown.id), dateOf(new Date()));
    return { ...data, lineItems: v.parse(lineItems, present.lineItems) };
  },
};
