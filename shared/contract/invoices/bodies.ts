import * as v from 'valibot';
import { externalId } from '#shared/contract/external-id.ts';
import { currencyInput, date, idInput, percentage, text } from '#shared/contract/fields.ts';
import { locale } from '#shared/contract/invoices/document.ts';
import { invoice } from '#shared/contract/invoices/invoice.ts';
import { lineInputs } from '#shared/contract/invoices/lines.ts';
import { described, explained, explainedBy } from '#shared/contract/meaning.ts';
import { metadata } from '#shared/contract/metadata.ts';
import { rule } from '#shared/contract/rule.ts';
import { shownTax, taxInput } from '#shared/contract/tax.ts';
import { TIME_GROUPINGS } from '#shared/domain/invoices/tracked-time.ts';

const dueDate = v.nullable(date);

const notes = v.nullable(text(0, 2_000));

const PAYMENT_URL = /^[Hh][Tt][Tt][Pp][Ss]:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/;

/** The document makes a link of it, which must not show one host and lead to another. */
const paymentUrl = v.nullable(
  v.pipe(
    text(0, 1_000),
    rule(
      'url',
      'a URL that begins with https:// and has no user in it',
      { format: 'uri', pattern: PAYMENT_URL.source },
      (input: string) => PAYMENT_URL.test(input) && URL.canParse(input),
    ),
  ),
);

const purchaseOrder = v.nullable(text(0, 100));

const serviceDates = {
  serviceFrom: described(v.optional(v.nullable(date)), 'The first day of what is billed; null: that of the lines.'),
  serviceTo: described(
    v.optional(v.nullable(date)),
    'The last day of what is billed, inclusive; null: that of the lines.',
  ),
};

const timeEntries = v.pipe(
  explained(
    { entries: shownTax },
    {
      dateFrom: described(date, 'The first day, inclusive.'),
      dateTo: described(date, 'The last day, inclusive.'),
      projectId: described(v.optional(v.nullable(idInput)), 'Only entries of this project; null: of any.'),
      groupBy: described(
        v.picklist(TIME_GROUPINGS),
        'The grouping of entries into lines. A group with several rates makes a line for each rate.',
      ),
      taxRate: described(v.optional(v.nullable(percentage), null), 'Tax of these lines in percent; null: none.'),
      ...taxInput,
    },
  ),
  v.description('The tracked time to bill.'),
  v.title('TimeEntriesInput'),
);

const createFields = v.object({
  clientId: described(idInput, 'The client who is billed.'),
  currency: described(
    v.optional(currencyInput),
    "The currency of all amounts; by default the client's, else that of the organization.",
  ),
  issueDate: described(v.optional(date), 'The day of the invoice; by default today in the zone of the organization.'),
  dueDate: described(
    v.optional(dueDate),
    "The last day to pay; null: none. By default the issue date plus the organization's `paymentTermsDays`, if it has them.",
  ),
  ...serviceDates,
  purchaseOrder: v.optional(purchaseOrder),
  locale: described(v.optional(v.nullable(locale)), "The language of the document; by default the organization's."),
  discountPercent: v.optional(v.nullable(percentage)),
  paymentUrl: v.optional(paymentUrl),
  notes: described(v.optional(notes), "A text below the lines; by default the organization's `invoiceNotes`."),
  externalId: v.optional(externalId),
  metadata: v.optional(metadata),
  lineItems: described(v.optional(lineInputs, []), 'Explicit lines. They come before those of `timeEntries`.'),
  timeEntries: described(
    v.optional(timeEntries),
    "Bills the client's unbilled billable entries of these days in the currency of the invoice. Entries without a rate stay unbilled.",
  ),
});

export const createBody = v.pipe(
  createFields,
  explainedBy(invoice),
  rule(
    'required',
    'a line, or timeEntries',
    {},
    (body: v.InferOutput<typeof createFields>) => body.lineItems.length > 0 || body.timeEntries !== undefined,
    'lineItems',
  ),
);

export const updateBody = explained(invoice, {
  issueDate: v.optional(date),
  dueDate: v.optional(dueDate),
  ...serviceDates,
  purchaseOrder: v.optional(purchaseOrder),
  locale: v.optional(v.nullable(locale)),
  discountPercent: v.optional(v.nullable(percentage)),
  paymentUrl: described(v.optional(paymentUrl), 'It can be changed of a sent invoice, too.'),
  notes: v.optional(notes),
  externalId: v.optional(externalId),
  metadata: v.optional(metadata),
  lineItems: described(v.optional(v.pipe(lineInputs, v.minLength(1))), 'Replaces all lines.'),
});

export const BODY_PROBLEMS = [
  'reference_not_found',
  'currency_mismatch',
  'entry_not_billable',
  'entry_invoiced',
  'tracked_time_fixed',
  'tax_category_mismatch',
  'invalid_date_range',
  'invoice_too_large',
  'billing_too_large',
  'invoice_total_too_large',
  'invoicing_in_progress',
  'external_id_taken',
] as const;
