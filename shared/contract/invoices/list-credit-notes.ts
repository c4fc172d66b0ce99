import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { day, idInput, searchText } from '#shared/contract/fields.ts';
import { creditLine, creditNoteEntries, exampleCreditNote } from '#shared/contract/invoices/credit-note.ts';
import { taxes } from '#shared/contract/invoices/document.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { firstOrLast, paginationEntries } from '#shared/contract/pagination.ts';
import { searchableListWeight } from '#shared/contract/weight.ts';

const listedCreditNote = component(
  'ListedCreditNote',
  'A credit note as a list shows it: without its lines if they are many.',
  {
    ...creditNoteEntries,
    lineItems: described(
      v.optional(v.array(creditLine)),
      'The credited lines, left out if they take more than 8 KB: get the credit note to see them.',
    ),
    taxes: described(
      v.optional(taxes),
      'One for each category and rate of the lines, the lowest rate first. Left out together with the lines.',
    ),
  },
);

export const listCreditNotes = defineEndpoint({
  operationId: 'listCreditNotes',
  method: 'GET',
  path: '/credit-notes',
  area: 'invoices',
  summary: 'List credit notes, newest first',
  description:
    'The order by `total` ignores currencies. A credit note that was just created may take a moment to appear in its place, except by `createdAt`.',
  scope: 'invoices:read',
  weight: searchableListWeight,
  query: v.pipe(
    v.object({
      ...paginationEntries(['createdAt', 'issueDate', 'number', 'total']),
      q: v.optional(
        searchText(
          "Part of the number, that of the invoice, the customer's name or the reason, in any case.",
          0,
          255,
          'CN-000001',
        ),
      ),
      clientId: described(v.optional(idInput), 'Only credit notes of this client.'),
      invoiceId: described(v.optional(idInput), 'Only credit notes of this invoice.'),
      issueFrom: v.optional(day('Issued on this day or later.', '2026-11-01')),
      issueTo: v.optional(day('Issued on this day or earlier.', '2026-11-30')),
    }),
    firstOrLast(),
  ),
  response: { kind: 'listOrCursorPage', item: listedCreditNote },
  problems: ['invalid_date_range', 'range_too_large'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { response: exampleCreditNote },
});
