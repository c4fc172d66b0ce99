import { v7 as uuidV7 } from 'uuid';
import { batchesOf, mapInParallel } from '#shared/data/table/parallel.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { readCalendarDays, readCalendarMonths } from '#shared/data/tracker/calendar.ts';
import { writeEntries } from '#shared/data/tracker/entries.ts';
import { entryWrites } from '#shared/data/tracker/entry-items.ts';
import { ledgerUpdates } from '#shared/data/tracker/ledger.ts';
import { type Cell, readDaySums, readMonthSums, spanOf } from '#shared/data/tracker/ledger-reading.ts';
import { monthOf } from '#shared/domain/date-range.ts';
import { amountMinorOf, type Entry, newEntry } from '#shared/domain/tracker/entry.ts';
import type { Project } from '#shared/domain/tracker/project.ts';
import type { Json } from './client.ts';
import type { User } from './given.ts';

/**
 * Writes many entries at once, as the table holds them. Thousands of requests would take longer than
 * what is to be tested.
 */

/** Leaves room for what a transaction holds beside entries. All its entries are of one project and client. */
const ENTRIES_PER_TRANSACTION = 39;

/**
 * @param project as the API answered it, or null
 * @param dates the entries take these dates in turn
 * @param description of each entry; without it, each has one of its own
 * @returns the entries' ids
 */
export async function bookEntries(
  by: User,
  project: Json | null,
  count: number,
  dates: readonly string[],
  description?: string,
): Promise<string[]> {
  const owner = { organizationId: by.organization.id, userId: by.userId, currency: by.organization.currency };
  const entries = Array.from({ length: count }, (_, i) => {
    const draft = {
      description: description ?? `Work ${i}`,
      durationMinutes: 1 + (i % 90),
      billable: i % 3 > 0,
      rate: '19.99',
    };
    return newEntry({ ...draft, entryDate: dates[i % dates.length] ?? '' }, project, owner, uuidV7(), new Date());
  });
  // Entries of a day share what is written beside them.
  const byDate = entries.toSorted((a, b) => a.entryDate.localeCompare(b.entryDate));
  for (let start = 0; start < count; start += ENTRIES_PER_TRANSACTION) {
    const batch = byDate.slice(start, start + ENTRIES_PER_TRANSACTION);
    await writeEntries(batch.map((after) => ({ before: null, after })));
  }
  return entries.map(({ id }) => id);
}

/** The most that a transaction takes. The emulator writes it in one go, and each item of a batch by itself. */
const TRANSACTION_SIZE = 100;

/** The emulator writes one transaction after the other. */
const LANES = 3;

/** Writes thousands of entries on their days alone, from where lists read them, and what counts them. */
export async function bookOnDays(entries: readonly Entry[]): Promise<void> {
  const changes = entries.map((after) => ({ before: null, after }));
  const onDays = changes.flatMap(entryWrites).filter(({ Put }) => Put?.Item?.sk !== 'ENTRY');
  const batches = batchesOf([...onDays, ...ledgerUpdates(changes)], TRANSACTION_SIZE);
  await mapInParallel(batches, (some) => transact([...some]), LANES);
}

/** Of an organization. */
interface Member {
  readonly organization: { readonly id: string };
}

type SumsByCell = Readonly<Record<string, Omit<Cell, 'period' | 'dimensions'>>>;

/** What the ledger says, by cell of each day and of each month. */
export async function ledgerSums({ organization }: Member): Promise<SumsByCell> {
  const [days, months] = await Promise.all([
    readDaySums(organization.id, {}),
    readMonthSums(organization.id, { from: '0000-01', to: '9999-12' }),
  ]);
  return Object.fromEntries([...days, ...months].map((cell) => [cellName(cell.period, cell.dimensions), sumsOf(cell)]));
}

/** What the ledger should say: a recount of all entries of the organization. */
export function recount(entries: readonly Entry[]): SumsByCell {
  const counted = [(date: string) => date, monthOf].flatMap((periodOf) => [
    ...Map.groupBy(entries, (entry) => cellName(periodOf(entry.entryDate), entry)),
  ]);
  return Object.fromEntries(
    counted.map(([name, group]) => [
      name,
      {
        entries: group.length,
        minutes: group.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0),
        billedMinutes: group.reduce((sum, { billedMinutes }) => sum + billedMinutes, 0),
        amountMinor: group.reduce((sum, entry) => sum + amountMinorOf(entry), 0n),
      },
    ]),
  );
}

/** How many entries the calendar has on each day and in each month. */
export async function calendarCounts({ organization }: Member): Promise<Readonly<Record<string, number>>> {
  const [days, months] = await Promise.all([
    readCalendarDays(organization.id, spanOf({})),
    readCalendarMonths(organization.id, { from: '0000-01', to: '9999-12' }),
  ]);
  const counts = [...days, ...months].filter(({ entries }) => entries !== 0);
  return Object.fromEntries(counts.map(({ period, entries }) => [period, entries]));
}

/** How many the calendar should have: a recount of all entries of the organization. */
export function countDates(entries: readonly Entry[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [(date: string) => date, monthOf]
      .flatMap((periodOf) => [...Map.groupBy(entries, ({ entryDate }) => periodOf(entryDate))])
      .map(([period, group]) => [period, group.length]),
  );
}

/** What the totals of a project should be, given its entries. */
export function totalsOf(entries: readonly Entry[]): Project['totals'] {
  const minutesOf = (some: readonly Entry[]) => some.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0);
  const amountsMinor: Record<string, bigint> = {};
  for (const entry of entries)
    amountsMinor[entry.currency] = (amountsMinor[entry.currency] ?? 0n) + amountMinorOf(entry);
  const billable = entries.filter((entry) => entry.billable);
  const billedMinutes = billable.reduce((sum, entry) => sum + entry.billedMinutes, 0);
  return { totalMinutes: minutesOf(entries), billableMinutes: minutesOf(billable), billedMinutes, amountsMinor };
}

/** @param period `YYYY-MM-DD` or `YYYY-MM` */
function cellName(period: string, { projectId, clientId, currency, source, billable }: Cell['dimensions']): string {
  return [period, projectId, clientId, currency, source, billable].join(' ');
}

function sumsOf({ entries, minutes, billedMinutes, amountMinor }: Cell) {
  return { entries, minutes, billedMinutes, amountMinor };
}
