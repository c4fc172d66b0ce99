import { calendarPartition, sortKeyRange } from '#shared/data/layout/keys.ts';
import { between, type Item, type Query, queryAll } from '#shared/data/table/query.ts';
import type { ReadBound } from '#shared/data/table/read-bound.ts';
import { joinSides } from '#shared/data/table/sides.ts';
import { monthOf, type Span } from '#shared/domain/date-range.ts';

/**
 * How many entries an organization has on each day (`e05`) and in each month (`e`), one item a month, with sides
 * (`sides.ts`) since all who book count there. A list without a filter reads 36 items of three years, where the ledger
 * of fifty projects has a hundred and fifty pages.
 */

export interface CountedDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly entries: number;
}

export interface CountedMonth {
  /** `YYYY-MM` */
  readonly month: string;
  readonly entries: number;
}

export async function readCalendarDays(
  organizationId: string,
  { from, to }: Span,
  bound?: ReadBound,
): Promise<CountedDay[]> {
  const items = await readMonthItems(organizationId, { from: monthOf(from), to: monthOf(to) }, { bound });
  return items.flatMap(daysOf).filter(({ date }) => date >= from && date <= to);
}

export async function readCalendarMonths(
  organizationId: string,
  months: Span,
  bound?: ReadBound,
): Promise<CountedMonth[]> {
  const items = await readMonthItems(organizationId, months, { bound, ProjectionExpression: 'sk, e' });
  return items.map(({ sk, e }) => ({ month: String(sk), entries: Number(e ?? 0) }));
}

export async function readCalendarDaysOf(
  organizationId: string,
  months: readonly CountedMonth[],
  bound?: ReadBound,
): Promise<CountedDay[]> {
  const wanted = new Set(months.map(({ month }) => month));
  const sorted = [...wanted].sort();
  const items = await readMonthItems(organizationId, { from: sorted.at(0) ?? '', to: sorted.at(-1) ?? '' }, { bound });
  return items.flatMap(daysOf).filter(({ date }) => wanted.has(monthOf(date)));
}

async function readMonthItems(
  organizationId: string,
  { from, to }: Span,
  query: Pick<Query, 'bound' | 'ProjectionExpression'>,
): Promise<readonly Item[]> {
  const items = await queryAll({ ...query, ...between(calendarPartition(organizationId), sortKeyRange(from, to)) });
  return joinSides(items);
}

function daysOf({ sk, ...attributes }: Item): CountedDay[] {
  return Object.entries(attributes).flatMap(([attribute, count]) => {
    const day = /^e(\d\d)$/.exec(attribute)?.[1];
    return day && count !== 0 ? [{ date: `${sk}-${day}`, entries: Number(count) }] : [];
  });
}
