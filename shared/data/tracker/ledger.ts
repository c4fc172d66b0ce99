import { calendarKey, type Key, ledgerMonthKey, ledgerYearKey } from '#shared/data/layout/keys.ts';
import { sumsUpdate } from '#shared/data/table/sums.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { amountMinorOf, type Entry } from '#shared/domain/tracker/entry.ts';

/**
 * The ledger: how many entries, minutes and minor units of money there are, by day and by dimensions. The dimensions
 * are what lists filter by and summaries group by. The transaction of the entries changes the ledger too, so it always
 * equals a recount.
 *
 * A page holds a month of one combination of dimensions, with three attributes for each day (`e05`, `m05`, `a05`) and
 * three for the month (`e`, `m`, `a`). Another page holds a year, with three attributes for each month and three for
 * the year. A reader asks for the coarsest page that answers, and only for the attributes that it needs. A Query costs
 * what it reads, but decoding takes time for each attribute that it returns.
 *
 * The pages of a client lie side by side in each month, and those of a project in each year. So a list by either reads
 * no pages of others, and an entry changes no more than these two pages.
 *
 * `ledger-reading.ts` reads the ledger. Each write also counts in the calendar (`calendar.ts`), which knows the days of
 * all entries together.
 */

/** One entry comes (`before` null), changes, or goes (`after` null). */
export interface EntryChange {
  readonly before: Entry | null;
  readonly after: Entry | null;
}

interface PageSums {
  readonly key: Key;
  readonly sums: Map<string, bigint>;
}

/** The sums that entries add to pages of the ledger and of the calendar, by key. */
type Pages = Map<string, PageSums>;

/** Adds an entry to the sums of its pages; with a negative sign, subtracts it. */
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

/** The updates of the ledger and the calendar for changes of entries: one for each page with changed sums. */
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

/** The pages that an entry counts in, and what it adds. */
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
