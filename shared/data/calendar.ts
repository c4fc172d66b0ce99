import { monthOf, type Span } from '#shared/domain/date-range.ts';
import { type Item, queryAll } from './query.ts';
import { calendarKey, calendarMonthOf, calendarPartition } from './table.ts';
import type { TransactItem } from './transaction.ts';

/**
 * The calendar: how many entries an organization has on each day, whatever they are about. It has an item for each month, with an attribute
 * for each of its days (`e05`) and one for the month (`e`), and changes in the transactions of the entries (`ledger.ts`).
 *
 * All who book in an organization count in the same month. Who finds its item held by another transaction counts in an item beside it, of which
 * there are a few (`stepAside`): what a day holds is the sum of them all, and the parts of a sum may be negative.
 *
 * A list without a filter finds its page here. In the ledger it would read every page of the years for that: a team of fifty projects has a
 * hundred and fifty of them after three years, and the calendar has 36 items.
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

/** Counts of the days of a range, in no particular order; one day may have several. */
export async function readCalendarDays(organizationId: string, { from, to }: Span): Promise<CountedDay[]> {
  const items = await readMonthItems(organizationId, { from: monthOf(from), to: monthOf(to) });
  return items.flatMap(daysOf).filter(({ date }) => date >= from && date <= to);
}

/** Counts of the months of a range, likewise. @param months `YYYY-MM` */
export async function readCalendarMonths(organizationId: string, months: Span): Promise<CountedMonth[]> {
  const items = await readMonthItems(organizationId, months, 'sk, e');
  return items.map(({ sk, e }) => ({ month: calendarMonthOf(String(sk)), entries: Number(e ?? 0) }));
}

export async function readCalendarDaysOf(
  organizationId: string,
  months: readonly CountedMonth[],
): Promise<CountedDay[]> {
  const wanted = new Set(months.map(({ month }) => month));
  const sorted = [...wanted].sort();
  const items = await readMonthItems(organizationId, { from: sorted.at(0) ?? '', to: sorted.at(-1) ?? '' });
  return items.flatMap(daysOf).filter(({ date }) => wanted.has(monthOf(date)));
}

function readMonthItems(organizationId: string, { from, to }: Span, attributes?: string): Promise<Item[]> {
  return queryAll({
    KeyConditionExpression: 'pk = :partition AND sk BETWEEN :from AND :to',
    ProjectionExpression: attributes,
    ExpressionAttributeValues: { ':partition': calendarPartition(organizationId), ':from': from, ':to': `${to}~` },
  });
}

function daysOf({ sk, ...attributes }: Item): CountedDay[] {
  return Object.entries(attributes).flatMap(([attribute, count]) => {
    const day = /^e(\d\d)$/.exec(attribute)?.[1];
    return day ? [{ date: `${calendarMonthOf(String(sk))}-${day}`, entries: Number(count) }] : [];
  });
}

const SIDES = 4;

/** The update of a month's item as one of an item beside it; any other as it is. */
export function stepAside(organizationId: string, item: TransactItem): TransactItem {
  const { Update } = item;
  if (Update?.Key?.pk !== calendarPartition(organizationId)) return item;
  const side = 1 + Math.floor(Math.random() * SIDES);
  return { Update: { ...Update, Key: calendarKey(organizationId, calendarMonthOf(String(Update.Key.sk)), side) } };
}
