import { canonicalDecimal, compareDecimals, type Decimal, formatMinor, sumMinor } from '#shared/domain/money.ts';
import { fault } from '#shared/domain/problems.ts';
import type { TaxCategory } from '#shared/domain/tax.ts';
import { amountMinorOf, type Entry } from '#shared/domain/tracker/entry.ts';
import { hoursOf } from '#shared/domain/tracker/work-time.ts';
import type { LineItem } from './invoice.ts';
import type { ServiceDates } from './service-dates.ts';

/** The amount of a line is the sum of its entries' amounts. Quantity x price may differ by their rounding. */

export const TIME_GROUPINGS = ['entry', 'project', 'day'] as const;

export type TimeGrouping = (typeof TIME_GROUPINGS)[number];

export type BillableEntry = Entry & { readonly rate: Decimal };

export interface BillingTerms {
  readonly clientId: string;
  readonly currency: string;
}

export function hasRate<E extends Entry>(entry: E): entry is E & BillableEntry {
  return entry.rate !== null;
}

export function isBillable<E extends Entry>(
  entry: E,
  { clientId, currency }: BillingTerms,
): entry is E & BillableEntry {
  return entry.billable && hasRate(entry) && entry.clientId === clientId && entry.currency === currency;
}

/** @param path where the request names the entry */
export function assertBillable<E extends Entry>(
  entry: E,
  terms: BillingTerms,
  path: string,
): asserts entry is E & BillableEntry {
  if (isBillable(entry, terms)) return;
  throw fault(
    'entry_not_billable',
    path,
    `It has to be a billable entry of the invoice's client, with a rate in ${terms.currency}.`,
  );
}

export interface TimeLines {
  readonly groupBy: TimeGrouping;
  readonly taxRate: Decimal | null;
  readonly taxCategory: TaxCategory | null;
  readonly taxExemptionReason: string | null;
  readonly projectNames: ReadonlyMap<string, string>;
  readonly newId: () => string;
}

/** One line for each group and rate: by project in the order of names, otherwise by time. */
export function timeLines(entries: readonly BillableEntry[], wishes: TimeLines): LineItem[] {
  const groups = Map.groupBy(entries.toSorted(chronologically), (entry) => groupOf(entry, wishes));
  const lines = [...groups.values()].flatMap((group) => byRate(group).map((ofRate) => timeLine(ofRate, wishes)));
  return wishes.groupBy === 'project' ? lines.sort((one, other) => compare(one.name, other.name)) : lines;
}

export function timeLinesOfAll(entries: readonly BillableEntry[], wishes: Omit<TimeLines, 'groupBy'>): LineItem[] {
  const ofProject = { ...wishes, groupBy: 'project' } as const;
  return byRate(entries.toSorted(chronologically)).map((ofRate) => timeLine(ofRate, ofProject));
}

function groupOf(entry: BillableEntry, { groupBy, projectNames }: TimeLines): string {
  if (groupBy === 'entry') return entry.id;
  if (groupBy === 'day') return entry.entryDate;
  return entry.projectId !== null && projectNames.has(entry.projectId) ? entry.projectId : '';
}

function byRate(entries: readonly BillableEntry[]): BillableEntry[][] {
  const rates = Map.groupBy(entries, ({ rate }) => canonicalDecimal(rate));
  return [...rates].sort(([one], [other]) => compareDecimals(one, other)).map(([, ofRate]) => ofRate);
}

const NAMELESS = 'Tracked time';

/** @param entries at least one, of one rate and currency, ordered by time */
function timeLine(entries: readonly BillableEntry[], wishes: TimeLines): LineItem {
  const [first, last] = [entries[0], entries.at(-1)];
  if (!first || !last) throw new Error('A line of tracked time without an entry.');
  const [worked, billed] = [sumOf(entries, 'durationMinutes'), sumOf(entries, 'billedMinutes')];
  const days = { serviceFrom: first.entryDate, serviceTo: last.entryDate };
  return {
    id: wishes.newId(),
    productId: null,
    entryIds: entries.map(({ id }) => id),
    name: nameOf(entries, wishes),
    description: wishes.groupBy === 'entry' ? `${first.entryDate}: ${first.description}` : daysText(days),
    quantity: hoursOf(billed),
    workedMinutes: worked === billed ? null : worked,
    unit: 'hour',
    price: first.rate,
    taxRate: wishes.taxRate,
    taxCategory: wishes.taxCategory,
    taxExemptionReason: wishes.taxExemptionReason,
    ...days,
    amount: formatMinor(sumMinor(entries.map(amountMinorOf)), first.currency),
  };
}

const sumOf = (entries: readonly BillableEntry[], minutes: 'durationMinutes' | 'billedMinutes'): number =>
  entries.reduce((sum, entry) => sum + entry[minutes], 0);

function nameOf(entries: readonly BillableEntry[], { groupBy, projectNames }: TimeLines): string {
  const projectIds = new Set(entries.map(({ projectId }) => projectId));
  const [projectId = null] = projectIds;
  if (groupBy === 'day' || projectIds.size !== 1 || projectId === null) return NAMELESS;
  return projectNames.get(projectId) ?? NAMELESS;
}

/** The description of a line without one of its own. */
export function daysText({ serviceFrom, serviceTo }: ServiceDates): string {
  return serviceFrom === serviceTo ? `${serviceFrom}` : `${serviceFrom} to ${serviceTo}`;
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
