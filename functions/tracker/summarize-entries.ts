import { summarizeEntries } from '#shared/contract/tracker/summarize-entries.ts';
import { readDirectory, readDirectoryFor } from '#shared/data/directory/directory.ts';
import { readSummaryCells } from '#shared/data/tracker/summary-cells.ts';
import { assertRange } from '#shared/domain/date-range.ts';
import { summarize } from '#shared/domain/tracker/summary.ts';
import { assertGroupsFit, groupCells } from '#shared/domain/tracker/summary-groups.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/work/tracker/entries/summary: totals of a date range, or of what can be invoiced, by project, by currency and by chosen groupings. */
export const handler = implement(summarizeEntries, async ({ query, isExport, principal, pay }) => {
  const { dateFrom, dateTo, groupBy, billingStatus } = query;
  assertRange(dateFrom, dateTo);
  const { organizationId } = principal;
  const directory = readDirectory(organizationId);
  const [cells] = await Promise.all([
    readSummaryCells(organizationId, { from: dateFrom, to: dateTo, groupBy, billingStatus }, directory, pay),
    directory,
  ]);
  const linked = cells.map(({ dimensions, userId }) => (userId ? { ...dimensions, userId } : dimensions));
  const { projects, clients, users } = await readDirectoryFor(organizationId, linked, directory);
  const names = new Map([...projects].map(([id, { name }]) => [id, name]));
  const summary = { dateFrom, dateTo, ...summarize(cells, names, principal.currency) };
  if (!groupBy) return summary;
  const groups = groupCells(cells, groupBy, { projects, clients, users });
  await pay(groups.length);
  if (!isExport) assertGroupsFit(groups);
  return { ...summary, groups };
});
