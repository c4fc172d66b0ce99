import { listEntries } from '#shared/contract/tracker/entries.ts';
import { readEntryList } from '#shared/data/tracker/entry-list.ts';
import { assertRange } from '#shared/domain/date-range.ts';
import { presentEntry } from '#shared/domain/tracker/entry.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/work/tracker/entries: lists native and imported entries, newest first. */
export const handler = implement(listEntries, async ({ query, principal }) => {
  const { limit, offset, dateFrom, dateTo, ...filter } = query;
  assertRange(dateFrom, dateTo);
  const range = { from: dateFrom, to: dateTo };
  const { items, total, links } = await readEntryList(principal.organizationId, { ...filter, ...range }, offset, limit);
  return { items: items.map((entry) => presentEntry(entry, links)), total };
});
