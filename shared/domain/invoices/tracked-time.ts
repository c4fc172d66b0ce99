import { canonicalDecimal, compareDecimals, formatMinor } from '#shared/domain/money.ts';
import { fault } from '#shared/domain/problems.ts';
import { amountMinorOf, type Entry } from '#shared/domain/tracker/entry.ts';
import { hoursOf } from '#shared/domain/tracker/work-time.ts';
import type { LineItem } from './invoice.ts';

/**
 * Tracked time as invoice lines. The amount of a line is the sum of the amounts of its entries, as in every other
 * total. It is never computed from the hours that the line shows. So the amount may differ from quantity x price by
 * the rounding of the entries.
 */

export const TIME_GROUPINGS = ['entry', 'project', 'day'] as const;

export type TimeGrouping = (typeof TIME_GROUPINGS)[number];

/** An entry that has something to bill. */
export type BillableEntry = Entry & { readonly rate: string };

/** What an invoice requires of its entries. */
export interface Billing {
  readonly clientId: string;
  readonly currency: string;
}

/** An entry without a rate has nothing to bill. A rate of zero counts as a rate. */
export function hasRate<E extends Entry>(entry: E): entry is E & BillableEntry {
  return entry.rate !== null;
}

/** Whether an entry can be on an invoice. */
export function isBillable<E extends Entry>(entry: E, { clientId, currency }: Billing): entry is E & BillableEntry {
  return entry.billable && hasRate(entry) && entry.clientId === clientId && entry.currency === currency;
}

/**
 * Checks an entry that a caller has chosen for an invoice.
 *
 * @param path where the request names the entry
 * @throws Problem `entry_not_billable`
 */
export function assertBillable<E extends Entry>(
  entry: E,
  billing: Billing,
  path: string,
): asserts entry is E & BillableEntry {
  if (isBillable(entry, billing)) return;
  throw fault(
    'entry_not_billable',
    path,
    `It has to be a billable entry of the invoice's client, with a rate in ${billing.currency}.`,
  );
}

/** How to make lines of tracked time. */
export interface TimeLines {
  readonly groupBy: TimeGrouping;
  readonly taxRate: string | null;
  /** The names of the projects that exist, by id. */
  readonly projectNames: ReadonlyMap<string, string>;
  readonly newId: () => string;
}

/** One line per group and rate. Lines by project are ordered by the project's name, all others by time. */
export function timeLines(entries: readonly BillableEntry[], wishes: TimeLines): LineItem[] {
  const groups = Map.groupBy(entries.toSorted(chronologically), (entry) => groupOf(entry, wishes));
  const lines = [...groups.values()].flatMap((group) => byRate(group).map((ofRate) => timeLine(ofRate, wishes)));
  return wishes.groupBy === 'project' ? lines.sort((one, other) => compare(one.name, other.name)) : lines;
}

/** One line for all entries, or one line per rate if they have several. */
export function timeLinesOfAll(entries: readonly BillableEntry[], wishes: Omit<TimeLines, 'groupBy'>): LineItem[] {
  const ofProject = { ...wishes, groupBy: 'project' } as const;
  return byRate(entries.toSorted(chronologically)).map((ofRate) => timeLine(ofRate, ofProject));
}

function groupOf(entry: BillableEntry, { groupBy, projectNames }: TimeLines): string {
  if (groupBy === 'entry') return entry.id;
  if (groupBy === 'day') return entry.entryDate;
  return entry.projectId !== null && projectNames.has(entry.projectId) ? entry.projectId : '';
}

/** Groups entries by rate, the highest rate last. */
function byRate(entries: readonly BillableEntry[]): BillableEntry[][] {
  const rates = Map.groupBy(entries, ({ rate }) => canonicalDecimal(rate));
  return [...rates].sort(([one], [other]) => compareDecimals(one, other)).map(([, ofRate]) => ofRate);
}

/** The name of tracked time without a project. */
const NAMELESS = 'Tracked time';

/** @param entries at least one, all with one rate and currency, ordered by time */
function timeLine(entries: readonly BillableEntry[], wishes: TimeLines): LineItem {
  const [first] = entries;
  if (!first) throw new Error('A line of tracked time without an entry.');
  return {
    id: wishes.newId(),
    productId: null,
    entryIds: entries.map(({ id }) => id),
    name: nameOf(entries, wishes),
    description: wishes.groupBy === 'entry' ? `${first.entryDate}: ${first.description}` : daysOf(entries),
    quantity: hoursOf(entries.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0)),
    unit: 'hour',
    price: first.rate,
    taxRate: wishes.taxRate,
    amount: formatMinor(
      entries.reduce((sum, entry) => sum + amountMinorOf(entry), 0n),
      first.currency,
    ),
  };
}

/** If all entries belong to one project, the line has that project's name. */
function nameOf(entries: readonly BillableEntry[], { groupBy, projectNames }: TimeLines): string {
  const projectIds = new Set(entries.map(({ projectId }) => projectId));
  const [projectId = null] = projectIds;
  if (groupBy === 'day' || projectIds.size !== 1 || projectId === null) return NAMELESS;
  return projectNames.get(projectId) ?? NAMELESS;
}

/** `2026-11-20`, or `2026-11-02 to 2026-11-20` */
function daysOf(entries: readonly BillableEntry[]): string {
  const [first, last] = [entries[0]?.entryDate, entries.at(-1)?.entryDate];
  return first === last ? `${first}` : `${first} to ${last}`;
}

function chronologically(one: Entry, other: Entry): number {
  const sortKey = ({ entryDate, startedAt, createdAt, id }: Entry) =>
    [entryDate, startedAt ?? '', createdAt, id].join('#');
  return compare(sortKey(one), sortKey(other));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
