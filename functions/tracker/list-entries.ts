import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { readEntryList, WHOLE_LIST } from '#shared/data/tracker/entry-list.ts';
import { assertRange } from '#shared/domain/date-range.ts';
import { presentEntry } from '#shared/domain/tracker/present-entry.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/work/tracker/entries: lists native and imported entries, newest first; as CSV all of them. */
export const handler = implement(listEntries, async ({ query, isExport, principal, pay }) => {
  const { limit, offset, dateFrom, dateTo, ...rest } = query;
  assertRange(dateFrom, dateTo);
  const filter = { ...rest, from: dateFrom, to: dateTo };
  const window = isExport ? WHOLE_LIST : { offset, limit };
  const { items, total, links } = await readEntryList(principal.organizationId, filter, window, pay);
  return { items: items.map((entry) => presentEntry(entry, links)), total };
});
