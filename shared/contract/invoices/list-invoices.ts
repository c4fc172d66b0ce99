import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { ofExternalId } from '#shared/contract/external-id.ts';
import { day, idInput, searchText } from '#shared/contract/fields.ts';
import { exampleInvoice } from '#shared/contract/invoices/examples.ts';
import { listedInvoice } from '#shared/contract/invoices/invoice.ts';
import { described } from '#shared/contract/meaning.ts';
import { firstOrLast, paginationEntries } from '#shared/contract/pagination.ts';
import { rule } from '#shared/contract/rule.ts';
import { namedListWeight } from '#shared/contract/weight.ts';
import { INVOICE_STATUSES } from '#shared/domain/invoices/steps.ts';

const ONE = INVOICE_STATUSES.join('|');

const statuses = v.pipe(
  v.string(),
  rule(
    'enum',
    `some of ${INVOICE_STATUSES.join(', ')}, with commas between them`,
    { pattern: `^(?:${ONE})(?:,(?:${ONE}))*$` },
    (list) => list.split(',').every((status) => INVOICE_STATUSES.some((each) => each === status)),
  ),
  v.description('Only invoices in one of these statuses, with commas between them.'),
  v.examples(['sent,paid']),
  v.transform((list) => {
    const wanted = new Set(list.split(','));
    return INVOICE_STATUSES.filter((status) => wanted.has(status));
  }),
);

export const listInvoices = defineEndpoint({
  operationId: 'listInvoices',
  method: 'GET',
  path: '/invoices',
  area: 'invoices',
  summary: 'List invoices, newest first',
  description:
    'Drafts count as the newest by `number`, and invoices without a due date as the latest by `dueDate`. The order by `total` ignores currencies. An invoice that was just created or changed may take a moment to appear in its place, except by `createdAt`.',
  scope: 'invoices:read',
  weight: namedListWeight,
  query: v.pipe(
    v.object({
      ...paginationEntries(['createdAt', 'issueDate', 'dueDate', 'number', 'total']),
      q: v.optional(
        searchText("Part of the number, the customer's name or the notes, in any case.", 0, 255, 'INV-000001'),
      ),
      externalId: ofExternalId('invoice'),
      status: v.optional(statuses),
      clientId: described(v.optional(idInput), 'Only invoices of this client.'),
      overdue: described(
        v.optional(v.boolean()),
        'True: only invoices that are sent and due before today in the zone of the organization. False: only others.',
      ),
      dueFrom: v.optional(day('Due on this day or later.', '2026-11-01')),
      dueTo: v.optional(day('Due on this day or earlier.', '2026-11-30')),
      issueFrom: v.optional(day('Issued on this day or later.', '2026-10-01')),
      issueTo: v.optional(day('Issued on this day or earlier.', '2026-10-30')),
    }),
    firstOrLast(),
  ),
  response: { kind: 'listOrCursorPage', item: listedInvoice },
  problems: ['invalid_date_range', 'range_too_large'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { response: exampleInvoice },
});
