import { bytesInAnswer, MAX_ANSWER_BYTES } from '#shared/domain/answer-size.ts';
import type { Table } from '#shared/domain/csv.ts';
import { mondayOf, monthOf } from '#shared/domain/date-range.ts';
import { type Decimal, formatMinor } from '#shared/domain/money.ts';
import { fault } from '#shared/domain/problems.ts';
import { type Minutes, minutesTogether, type SummedCell, sumBy } from './summary.ts';
import { nameIn } from './timer.ts';
import type { IsoDate } from './work-time.ts';

export const GROUPINGS = ['project', 'client', 'user', 'day', 'week', 'month'] as const;

export type Grouping = (typeof GROUPINGS)[number];

const MAX_GROUPINGS = 2;

export function groupingsIn(list: string): Grouping[] {
  return list.split(',').flatMap((name) => GROUPINGS.filter((grouping) => grouping === name));
}

export function isGroupingList(list: string): boolean {
  const { length } = list.split(',');
  return length <= MAX_GROUPINGS && new Set(groupingsIn(list)).size === length;
}

export interface GroupedCell extends SummedCell {
  readonly dimensions: SummedCell['dimensions'] & { readonly clientId: string | null };
  /** A day or month, as fine as the groupings need; undefined if they need neither. */
  readonly period?: string;
  /** Undefined if no grouping needs it. */
  readonly userId?: string;
}

type Names = ReadonlyMap<string, { readonly name: string }>;

/** Entries of a missing project or client count as without one. */
export interface GroupNames {
  readonly projects: Names;
  readonly clients: Names;
  readonly users: Names;
}

export interface GroupKey {
  readonly projectId?: string | null;
  readonly projectName?: string | null;
  readonly clientId?: string | null;
  readonly clientName?: string | null;
  readonly userId?: string;
  readonly userName?: string | null;
  readonly date?: IsoDate;
  /** The Monday. */
  readonly week?: IsoDate;
  /** `YYYY-MM`. */
  readonly month?: string;
}

/** Groups are ordered by the last member, then by the one before. */
const MEMBERS = {
  project: ['projectId', 'projectName'],
  client: ['clientId', 'clientName'],
  user: ['userId', 'userName'],
  day: ['date'],
  week: ['week'],
  month: ['month'],
} as const satisfies Record<Grouping, readonly (keyof GroupKey)[]>;

function keyMembers(groupings: readonly Grouping[]): (keyof GroupKey)[] {
  return GROUPINGS.filter((grouping) => groupings.includes(grouping)).flatMap((grouping) => MEMBERS[grouping]);
}

const FACTS: Readonly<Record<Grouping, (cell: GroupedCell) => string | null | undefined>> = {
  project: ({ dimensions }) => dimensions.projectId,
  client: ({ dimensions }) => dimensions.clientId,
  user: ({ userId }) => userId,
  day: ({ period }) => period,
  week: ({ period }) => period,
  month: ({ period }) => period,
};

type KeyOf = (cell: GroupedCell, names: GroupNames) => GroupKey;

const KEYS: Readonly<Record<Grouping, KeyOf>> = {
  project: ({ dimensions: { projectId } }, { projects }) => {
    const name = nameIn(projects, projectId);
    return { projectId: name === null ? null : projectId, projectName: name };
  },
  client: ({ dimensions: { clientId } }, { clients }) => {
    const name = nameIn(clients, clientId);
    return { clientId: name === null ? null : clientId, clientName: name };
  },
  user: ({ userId }, { users }) => ({ userId, userName: nameIn(users, userId ?? null) }),
  day: ({ period }) => ({ date: period }),
  week: ({ period }) => ({ week: period && mondayOf(period) }),
  month: ({ period }) => ({ month: period && monthOf(period) }),
};

interface GroupAmount extends Readonly<Minutes> {
  readonly currency: string;
  readonly amount: Decimal;
}

export interface SummaryGroup extends Readonly<Minutes> {
  readonly key: GroupKey;
  readonly amounts: readonly GroupAmount[];
}

/** In the order of the keys: by name, then id; dates ascending; none last. The first grouping decides first. */
export function groupCells(
  cells: readonly GroupedCell[],
  groupings: readonly Grouping[],
  names: GroupNames,
): SummaryGroup[] {
  const order = groupings.flatMap((grouping) => MEMBERS[grouping].toReversed());
  // A year may have hundreds of thousands of cells, and few different keys.
  const alike = Map.groupBy(cells, (cell) => groupings.map((grouping) => FACTS[grouping](cell)).join());
  const keyed = [...alike.values()].flatMap((some) =>
    some.slice(0, 1).map((first) => ({ key: keyOf(first, groupings, names), cells: some })),
  );
  return [...Map.groupBy(keyed, ({ key }) => JSON.stringify(order.map((member) => key[member]))).values()]
    .flatMap((parts) => parts.slice(0, 1).map(({ key }) => ({ key, ...sumsOf(parts.flatMap((part) => part.cells)) })))
    .sort((one, other) => compare(one.key, other.key, order));
}

function keyOf(cell: GroupedCell, groupings: readonly Grouping[], names: GroupNames): GroupKey {
  const [first, second] = groupings.map((grouping) => KEYS[grouping](cell, names));
  return { ...first, ...second };
}

function compare(one: GroupKey, other: GroupKey, order: readonly (keyof GroupKey)[]): number {
  const member = order.find((each) => one[each] !== other[each]);
  const [a, b] = member ? [one[member] ?? null, other[member] ?? null] : [null, null];
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : 1;
}

function sumsOf(cells: readonly GroupedCell[]): Omit<SummaryGroup, 'key'> {
  const amounts = [...sumBy(cells, ({ dimensions }) => dimensions.currency)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, { amountMinor, ...minutes }]) => ({
      currency,
      amount: formatMinor(amountMinor, currency),
      ...minutes,
    }));
  return { ...minutesTogether(amounts), amounts };
}

export function assertGroupsFit(groups: readonly SummaryGroup[]): void {
  if (bytesInAnswer(JSON.stringify(groups)) <= MAX_ANSWER_BYTES) return;
  const count = `The range makes ${groups.length} groups, which are too long for one answer`;
  throw fault('range_too_large', 'dateFrom', `${count}: ask for a narrower one.`);
}

/** A row for each group and currency, with the minutes in this currency: each column adds up to the summary. */
export function groupTable(groups: readonly SummaryGroup[], groupings: readonly Grouping[]): Table {
  return {
    columns: [...keyMembers(groupings), 'totalMinutes', 'trackedMinutes', 'billedMinutes', 'currency', 'amount'],
    rows: groups.flatMap(({ key, amounts }) => amounts.map((amount) => ({ ...key, ...amount }))),
  };
}
