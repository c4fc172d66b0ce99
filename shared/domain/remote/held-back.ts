import type { IsoDate } from '#shared/domain/tracker/work-time.ts';
import type { ImportJob } from './import-job.ts';
import type { PlannedRow } from './import-plan.ts';

/**
 * A row that an import left because its entry was invoiced. Once the entry is free, a scheduled sync reads the day of
 * the row again at the provider, which would not tell of the change once more.
 */
export interface HeldBack {
  readonly entryId: string;
  readonly externalId: string | null;
  /** The row's date, as `content` is the row's. The entry may lie on another day. */
  readonly date: IsoDate;
  readonly content: string;
  readonly holdId: string | null;
  /** When the import began. It may overwrite what was edited here until then. */
  readonly heldBackAt: string;
}

export function heldBackRow(row: PlannedRow, holdId: string | null, { createdAt }: ImportJob): HeldBack {
  const { entryId, externalId, date, content } = row;
  return { entryId, externalId, date, content, holdId, heldBackAt: createdAt };
}

/** Whether it is remembered already that this change waits for this hold. */
export function isSameWait(one: HeldBack, other: HeldBack | undefined): boolean {
  return one.content === other?.content && one.holdId === other.holdId;
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
  return rows.map((row) => {
    const heldBackAt = byEntry.get(idOf(row))?.heldBackAt;
    return heldBackAt === undefined ? row : { ...row, heldBackAt };
  });
}

/** What waits no longer: the provider has no such row on that day any more, or it would change nothing. */
export function endedWaits(reread: readonly HeldBack[], wanted: readonly PlannedRow[]): HeldBack[] {
  const waiting = new Set(wanted.map(idOf));
  return reread.filter((each) => !waiting.has(idOf(each)));
}

/** A row that moves while it is held back waits on each of its days: any of them may be the last that is known. */
const idOf = ({ entryId, date }: Pick<HeldBack, 'entryId' | 'date'>): string => `${date}#${entryId}`;
