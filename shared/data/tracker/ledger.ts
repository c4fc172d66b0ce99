import { calendarKey, type Key, ledgerMonthKey, ledgerYearKey } from '#shared/data/layout/keys.ts';
import { sumsUpdate } from '#shared/data/table/sums.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { amountMinorOf, type Entry } from '#shared/domain/tracker/entry.ts';

/**
 * The ledger: entries, minutes and minor units of money, by day and by the dimensions that lists filter by and
 * summaries group by. The transaction of the entries changes it, so it always equals a recount.
 *
 * A page holds a month of one combination of dimensions, with attributes for each day (`e05`, `m05`, `a05`) and for the
 * month (`e`, `m`, `a`). Where rounding adds to the minutes or takes from them, `b05` and `b` have how many. Another page
 * holds a year, by month. A reader asks only for the attributes that it
 * needs: decoding takes time for each.
 *
 * The pages of a client lie side by side in each month, and those of a project in each year: lists by either read no
 * others.
 */

/** `before` is null for a new entry, `after` for one that goes. */
export interface EntryChange {
  readonly before: Entry | null;
  readonly after: Entry | null;
}

/** What an entry adds to an item that holds sums, by attribute. */
export interface Share {
  readonly key: Key;
  readonly contributions: readonly (readonly [string, bigint])[];
}

/** What changes add to each item that holds sums. */
export function sumsOf<Of extends Share>(
  changes: readonly EntryChange[],
  sharesOf: (entry: Entry) => readonly Of[],
): (Of & { readonly sums: ReadonlyMap<string, bigint> })[] {
  const items = new Map<string, Of & { readonly sums: Map<string, bigint> }>();
  const count = (entry: Entry | null, sign: bigint) => {
    for (const share of entry ? sharesOf(entry) : []) {
      const name = `${share.key.pk} ${share.key.sk}`;
      const item = items.get(name) ?? { ...share, sums: new Map<string, bigint>() };
      items.set(name, item);
      for (const [attribute, amount] of share.contributions)
        item.sums.set(attribute, (item.sums.get(attribute) ?? 0n) + sign * amount);
    }
  };
  for (const { before, after } of changes) {
    count(before, -1n);
    count(after, 1n);
  }
  return [...items.values()];
}

/** For the pages of the ledger and the months of the calendar. */
export function ledgerUpdates(changes: readonly EntryChange[]): TransactItem[] {
  return sumsOf(changes, pagesOf).flatMap(({ key, sums }) => sumsUpdate(key, sums) ?? []);
}

function pagesOf(entry: Entry): Share[] {
  const { organizationId } = entry;
  const [year = '', month = '', day = ''] = entry.entryDate.split('-');
  const whole = sumsIn(entry, '');
  return [
    {
      key: ledgerMonthKey(organizationId, `${year}-${month}`, entry),
      contributions: [...sumsIn(entry, day), ...whole],
    },
    { key: ledgerYearKey(organizationId, year, entry), contributions: [...sumsIn(entry, month), ...whole] },
    {
      key: calendarKey(organizationId, `${year}-${month}`),
      contributions: [
        [`e${day}`, 1n],
        ['e', 1n],
      ],
    },
  ];
}

function sumsIn(entry: Entry, part: string): [string, bigint][] {
  return [
    [`e${part}`, 1n],
    [`m${part}`, BigInt(entry.durationMinutes)],
    [`a${part}`, amountMinorOf(entry)],
    [`b${part}`, BigInt(entry.billedMinutes - entry.durationMinutes)],
  ];
}
