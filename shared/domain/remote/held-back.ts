import type { Entry } from '#shared/domain/tracker/entry.ts';
import { dateOf, type IsoDate, plusDays } from '#shared/domain/tracker/work-time.ts';
import type { ImportJob } from './import-job.ts';
import type { PlannedRow } from './import-plan.ts';
import { COMPARED_DAYS } from './sync-progress.ts';

/**
 * A row that an import left because its entry was invoiced, or in the closed period. Once that is over, a scheduled sync
 * reads the day of the row again at the provider, which would not tell of the change once more.
 */
export interface HeldBack {
  readonly entryId: string;
  readonly externalId: string | null;
  /** The row's date, as `content` is the row's. The entry may lie on another day. */
  readonly date: IsoDate;
  readonly content: string;
  readonly holdId: string | null;
  /** The earlier one of the dates of the row and its entry, where one was locked; null: an invoice was in the way. */
  readonly lockedDate: IsoDate | null;
  /** When the import began. It may overwrite what was edited here until then. */
  readonly heldBackAt: string;
}

export function heldBackRow(row: PlannedRow, holdId: string | null, { createdAt }: ImportJob): HeldBack {
  return { ...waitOf(row, createdAt), holdId, lockedDate: null };
}

/** @param stored its entry, if it has one */
export function lockedRow(row: PlannedRow, stored: Entry | undefined, { createdAt }: ImportJob): HeldBack {
  const lockedDate = stored && stored.entryDate < row.date ? stored.entryDate : row.date;
  return { ...waitOf(row, createdAt), holdId: null, lockedDate };
}

function waitOf({ entryId, externalId, date, content }: PlannedRow, heldBackAt: string) {
  return { entryId, externalId, date, content, heldBackAt };
}

/** Whether it is remembered already that this change waits for this hold, or for this date. */
export function isSameWait(one: HeldBack, other: HeldBack | undefined): boolean {
  return one.content === other?.content && one.holdId === other.holdId && one.lockedDate === other.lockedDate;
}

/** A closed period may stay closed for ever. @param at ISO 8601 */
export function isForgotten({ date, lockedDate }: HeldBack, at: string): boolean {
  return lockedDate !== null && date < plusDays(dateOf(new Date(at)), -COMPARED_DAYS);
}

/** The provider takes 100 requests in 15 seconds, and each day is one. */
const MAX_DAYS = 50;

/** Few beside the 10,000 rows that a sync may import with them. */
const MAX_ROWS = 1_000;

/** What one sync reads again, day by day. The next takes the rest. @param released sorted by day */
export function daysToReread(released: readonly HeldBack[]): [IsoDate, HeldBack[]][] {
  return [...Map.groupBy(released.slice(0, MAX_ROWS), ({ date }) => date)].slice(0, MAX_DAYS);
}

/** Rows of days that were read again are told from others, so that the import may end their waiting. */
export function markReread(rows: readonly PlannedRow[], reread: readonly HeldBack[]): PlannedRow[] {
  const byEntry = new Map(reread.map((each) => [idOf(each), each]));
  return rows.map((row) => ({ ...row, heldBackAt: byEntry.get(idOf(row))?.heldBackAt }));
}

/** What waits no longer: the provider has no such row on that day any more, or it would change nothing. */
export function endedWaits(reread: readonly HeldBack[], wanted: readonly PlannedRow[]): HeldBack[] {
  const waiting = new Set(wanted.map(idOf));
  return reread.filter((each) => !waiting.has(idOf(each)));
}

/** A row that moves while it is held back waits on each of its days: any of them may be the last that is known. */
const idOf = ({ entryId, date }: Pick<HeldBack, 'entryId' | 'date'>): string => `${date}#${entryId}`;
