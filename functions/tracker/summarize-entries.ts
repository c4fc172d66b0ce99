import { summarizeEntries } from '#shared/contract/tracker/entries.ts';
import { readDirectory } from '#shared/data/clients/directory.ts';
import { readAmounts } from '#shared/data/tracker/ledger-reading.ts';
import { readLinks } from '#shared/data/tracker/links.ts';
import { assertRange } from '#shared/domain/date-range.ts';
import { summarize } from '#shared/domain/tracker/summary.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/work/tracker/entries/summary: billable totals of a date range, by project and by currency. */
export const handler = implement(summarizeEntries, async ({ query, principal }) => {
  const { dateFrom, dateTo } = query;
  assertRange(dateFrom, dateTo);
  const { organizationId } = principal;
  const directory = readDirectory(organizationId);
  const [sums] = await Promise.all([readAmounts(organizationId, { from: dateFrom, to: dateTo }), directory]);
  const linked = sums.map(({ dimensions }) => ({ projectId: dimensions.projectId, clientId: null }));
  const { projects } = await readLinks(organizationId, linked, directory);
  const names = new Map([...projects].map(([id, { name }]) => [id, name]));
  return { dateFrom, dateTo, ...summarize(sums, names, principal.currency) };
});
