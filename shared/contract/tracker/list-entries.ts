import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { day, idInput, limit, list, offset, searchText, text } from '#shared/contract/fields.ts';
import { described } from '#shared/contract/meaning.ts';
import { tag } from '#shared/contract/tags.ts';
import { entry, exampleEntry } from '#shared/contract/tracker/entry.ts';
import { entryListWeight } from '#shared/contract/weight.ts';
import type { Listed } from '#shared/domain/page.ts';
import { BILLING_STATUSES } from '#shared/domain/tracker/present-entry.ts';
import { MAX_TAGS } from '#shared/domain/tracker/tags.ts';

/** The cost of filters that only the entries themselves can answer. */
const SCANNED = 'Reads all entries of the range, at most 50,000 and 100 MB: `dateFrom` and `dateTo` narrow it.';

export const listEntries = defineEndpoint({
  operationId: 'listEntries',
  method: 'GET',
  path: '/v1/work/tracker/entries',
  area: 'tracker',
  summary: 'List native and imported entries',
  description: 'Newest first: by date, then start, then creation. A CSV file ignores `limit` and `offset`.',
  scope: 'tracker:read',
  weight: entryListWeight,
  query: v.object({
    limit: limit(200, 50),
    offset,
    dateFrom: v.optional(day('The first day, inclusive.', '2026-11-01')),
    dateTo: v.optional(day('The last day, inclusive.', '2026-11-30')),
    projectId: described(v.optional(idInput), 'Only entries of this project.'),
    clientId: described(v.optional(idInput), 'Only entries of this client.'),
    source: v.optional(
      v.pipe(
        text(1, 50),
        v.description('`native_tracker`, `remote_api` or `import`; any other value finds nothing.'),
        v.examples(['remote_api']),
      ),
    ),
    billable: described(v.optional(v.boolean()), 'Only entries that are billable, or only those that are not.'),
    userId: described(v.optional(idInput), `Only work of this user. ${SCANNED}`),
    billingStatus: described(v.optional(v.picklist(BILLING_STATUSES)), `Only entries with this status. ${SCANNED}`),
    invoiceId: described(v.optional(idInput), `Only entries on this invoice. ${SCANNED}`),
    tag: v.optional(
      v.pipe(
        list(tag, MAX_TAGS),
        v.description(
          `Only entries with this tag, in any case. Send it again for each further tag that they must have. A comma is part of a tag. ${SCANNED}`,
        ),
        v.examples([['design']]),
      ),
    ),
    q: v.optional(
      searchText(
        `Part of the description, of the client label or of the user label, in any case. ${SCANNED}`,
        0,
        200,
        'workshop',
      ),
    ),
  }),
  response: { kind: 'list', item: entry },
  csv: {
    fileName: 'entries.csv',
    table: ({ items }: Listed<v.InferOutput<typeof entry>>) => ({
      columns: Object.keys(entry.entries).filter((name) => name !== 'metadata'),
      rows: items.map(({ metadata, ...item }) => ({ ...item, tags: item.tags.join(', ') })),
    }),
    example: { result: { items: [exampleEntry] } },
  },
  problems: ['invalid_date_range', 'range_too_large'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { response: exampleEntry },
});
