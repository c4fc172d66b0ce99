import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { date, decimal, idInput, list, trimmedText } from '#shared/contract/fields.ts';
import { creditNoteEntries, creditNoteHead, exampleCreditNote } from '#shared/contract/invoices/credit-note.ts';
import { invoice } from '#shared/contract/invoices/invoice.ts';
import { component, described, explained, nullableText } from '#shared/contract/meaning.ts';
import { distinct, rule } from '#shared/contract/rule.ts';
import { creditWeight } from '#shared/contract/weight.ts';
import { MAX_INVOICE_ENTRIES } from '#shared/domain/invoices/invoice.ts';

const madeCreditNote = component('MadeCreditNote', 'A credit note, or what it would be.', {
  ...creditNoteEntries,
  id: nullableText('The id of the credit note; null of a dry run.'),
  number: nullableText('The number of the credit note, without gaps in its series. Null of a dry run.'),
});

const lineFields = v.object({
  lineItemId: described(idInput, 'A line of the invoice.'),
  quantity: described(v.optional(decimal), 'The units to credit, at most those that are left.'),
  amount: described(v.optional(decimal), 'The amount to credit, before the discount, at most what is left.'),
  entryIds: described(
    v.optional(v.pipe(list(idInput, MAX_INVOICE_ENTRIES), v.minLength(1))),
    'Entries to credit of a line of tracked time.',
  ),
});

type LineFields = v.InferOutput<typeof lineFields>;

const lineInput = v.pipe(
  lineFields,
  rule(
    'exclusive',
    'one of "quantity", "amount" and "entryIds"',
    {},
    ({ quantity, amount: ofLine, entryIds }: LineFields) =>
      [quantity, ofLine, entryIds].filter((given) => given !== undefined).length <= 1,
    'quantity',
  ),
  distinct('no entry twice', ({ entryIds = [] }: LineFields) => entryIds, 'entryIds'),
  v.description('A line to credit by one of its members; without these, all that is left of it.'),
  v.title('CreditLineInput'),
);

const createBody = explained(creditNoteHead, {
  reason: trimmedText(500),
  lines: described(
    v.optional(
      v.pipe(
        list(lineInput, MAX_INVOICE_ENTRIES),
        v.minLength(1),
        distinct('no line twice', (lines: LineFields[]) => lines.map(({ lineItemId }) => lineItemId)),
      ),
    ),
    'The lines to credit; by default all that is left of the invoice.',
  ),
  issueDate: described(
    v.optional(date),
    'The day of the credit note, not before that of the invoice; by default today in the zone of the organization, or that of the invoice if it is later.',
  ),
  releaseEntries: described(
    v.optional(v.boolean(), true),
    'Whether the credited entries can be billed again. False: they stay `invoiced` for good.',
  ),
});

export const createCreditNote = defineEndpoint({
  operationId: 'createCreditNote',
  method: 'POST',
  path: '/invoices/{id}/credit-notes',
  of: invoice,
  location: '/credit-notes/{id}',
  area: 'invoices',
  summary: 'Credit a sent invoice, or lines of it',
  description: [
    'An invoice that was sent is corrected by credit notes. These have numbers of their own, and never change. The credits of an invoice cancel it to the minor unit, however it is split: each figure is the rounded one of all credits, less what was credited before.',
    'A line is credited by quantity or by amount, and in the end by its rest; tracked time by whole entries, which can be billed again at once. An invoice of which nothing is left is `credited`. A payment beyond the rest is to be refunded.',
    'An invoice has at most 100 credit notes. If its `customer` takes e-invoices (`eInvoiceFormat`), a credit note that cannot be one in this format is refused, with all faults, and gets no number.',
  ].join('\n\n'),
  scope: 'invoices:write',
  weight: creditWeight,
  query: v.object({
    dryRun: described(v.optional(v.boolean(), false), 'True answers the credit note with 200, and writes nothing.'),
  }),
  body: createBody,
  events: ['credit_note.created', 'invoice.credited', 'invoice.updated'],
  response: { kind: 'rehearsable', schema: madeCreditNote },
  problems: [
    'reference_not_found',
    'credit_exceeds_line',
    'invalid_credit_amount',
    'invalid_credit_date',
    'invalid_issue_date',
    'issue_date_before_last',
    'number_taken',
    'too_many_credit_notes',
    'invoice_state_forbids',
    'e_invoice_incomplete',
  ],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { body: { reason: 'The service was cancelled.' }, response: exampleCreditNote },
});
