import { calendarPartition, sortKeyRange } from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import type { Item } from '#shared/data/table/query.ts';
import type { ReadBound } from '#shared/data/table/read-bound.ts';
import { joinShards } from '#shared/data/table/shards.ts';
import { monthOf, type Span } from '#shared/domain/date-range.ts';
import type { Count } from '#shared/domain/tracker/list-plan.ts';

/**
 * How many entries an organization has on each day (`e05`) and in each month (`e`), one item a month, with shards
 * (`shards.ts`) since all who book count there. A list without a filter reads 36 items of three years, where the ledger
 * of fifty projects has a hundred and fifty pages.
 */

export async function readCalendarDays(
  organizationId: string,
  { from, to }: Span,
  bound?: ReadBound,
): Promise<Count[]> {
  const items = await readMonthItems(organizationId, { from: monthOf(from), to: monthOf(to) }, bound);
  return items.flatMap(daysOf).filter(({ period }) => period >= from && period <= to);
}

export async function readCalendarMonths(organizationId: string, months: Span, bound?: ReadBound): Promise<Count[]> {
  const items = await readMonthItems(organizationId, months, bound, ['sk', 'e']);
  return items.map(({ sk, e }) => ({ period: String(sk), entries: Number(e) }));
}

async function readMonthItems(
  organizationId: string,
  { from, to }: Span,
  bound?: ReadBound,
  attributes?: readonly string[],
): Promise<readonly Item[]> {
  const partition = calendarPartition(organizationId);
  const between = sortKeyRange(from, to);
  return joinShards(await readCollection({ partition, between, attributes, bound }));
}

function daysOf({ sk, ...attributes }: Item): Count[] {
  return Object.entries(attributes).flatMap(([attribute, count]) => {
    const day = /^e(\d\d)$/.exec(attribute)?.[1];
    return day && count !== 0 ? [{ period: `${sk}-${day}`, entries: Number(count) }] : [];
  });
}
