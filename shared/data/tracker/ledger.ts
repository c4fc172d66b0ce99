import { calendarKey, type Key, ledgerMonthKey, ledgerYearKey } from '#shared/data/layout/keys.ts';
import { sumsUpdate } from '#shared/data/table/sums.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { amountMinorOf, type Entry } from '#shared/domain/tracker/entry.ts';

/**
 * The ledger: entries, minutes and minor units of money, by day and by the dimensions that lists filter by and
 * summaries group by. The transaction of the entries changes it, so it always equals a recount.
 *
 * A page holds a month of one combination of dimensions, with three attributes for each day (`e05`, `m05`, `a05`) and
 * three for the month (`e`, `m`, `a`). Another holds a year, by month. A reader asks only for the attributes that it
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

interface PageSums {
  readonly key: Key;
  readonly sums: Map<string, bigint>;
}

type Pages = Map<string, PageSums>;

function countEntry(pages: Pages, entry: Entry, sign = 1n): void {
  for (const { key, contributions } of pagesOf(entry)) {
    const name = `${key.pk} ${key.sk}`;
    const page = pages.get(name) ?? { key, sums: new Map<string, bigint>() };
    pages.set(name, page);
    for (const [attribute, amount] of contributions) {
      page.sums.set(attribute, (page.sums.get(attribute) ?? 0n) + sign * amount);
    }
  }
}

export function ledgerUpdates(changes: readonly EntryChange[]): TransactItem[] {
  const pages: Pages = new Map();
  for (const { before, after } of changes) {
    if (before) countEntry(pages, before, -1n);
    if (after) countEntry(pages, after);
  }
  return [...pages.values()].flatMap(({ key, sums }) => sumsUpdate(key, sums) ?? []);
}

interface PageShare {
  readonly key: Key;
  readonly contributions: readonly (readonly [string, bigint])[];
}

function pagesOf(entry: Entry): PageShare[] {
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
  ];
}
