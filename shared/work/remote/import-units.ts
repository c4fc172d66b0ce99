import { readDirectoryFor } from '#shared/data/directory/directory.ts';
import { lockUnchanged, readLock } from '#shared/data/directory/lock.ts';
import { heldBackEnd, heldBackPut, newAmong } from '#shared/data/remote/held-back.ts';
import { markPut, readDoneUnits } from '#shared/data/remote/import-marks.ts';
import { readAndResolve } from '#shared/data/remote/imported-entries.ts';
import { countersUpdate } from '#shared/data/remote/imports.ts';
import { ConditionFailed } from '#shared/data/table/transaction.ts';
import { writeEntries } from '#shared/data/tracker/entries.ts';
import type { StoredChange } from '#shared/data/tracker/entry-items.ts';
import { entriesHappening } from '#shared/domain/events/happening.ts';
import { isLocked, isPeriodLocked, type LockedThrough } from '#shared/domain/lock.ts';
import { Problem } from '#shared/domain/problems.ts';
import { type HeldBack, heldBackRow, lockedRow } from '#shared/domain/remote/held-back.ts';
import type { ImportJob } from '#shared/domain/remote/import-job.ts';
import { isHeldBack, outcomeOf, wantsUpdate } from '#shared/domain/remote/import-outcome.ts';
import { type PlannedRow, withoutDeletedLinks } from '#shared/domain/remote/import-plan.ts';
import type { ImportUnit } from '#shared/domain/remote/import-units.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';
import { recordOf } from './import-events.ts';

/**
 * One transaction writes a unit, its mark and the counters of the job. A unit may be delivered repeatedly, and in any
 * order: the mark's condition fails for every delivery but the first.
 */

/**
 * In parallel, units would only wait for each other: all share the job's counters.
 *
 * @returns `closed` when the job was closed meanwhile: nothing more may be imported
 * @throws Problem `invoicing_in_progress` when a row updates an entry that is just being put on an invoice
 */
export async function importUnits(
  job: ImportJob,
  units: readonly ImportUnit[],
  mayGoOn: () => boolean,
): Promise<'done' | 'closed' | 'interrupted'> {
  const done = new Set((await readDoneUnits(job)).map(({ unit }) => unit));
  const pending = units.filter(({ number }) => !done.has(number));
  const lock: SeenLock = { isKnown: false, lockedThrough: null };
  const known = await readStored(
    job,
    pending.flatMap(({ rows }) => rows),
  );
  for (const unit of pending) {
    if (!mayGoOn()) return 'interrupted';
    if ((await importUnit(job, unit, known, lock)) === 'closed') return 'closed';
  }
  return 'done';
}

interface SeenLock {
  /** Whether a refusal has told of it. Before one has, nothing is taken for locked, and nobody pays for reading it. */
  isKnown: boolean;
  lockedThrough: LockedThrough;
}

type Stored = Awaited<ReturnType<typeof readAndResolve>>;

/** Starts again from the present state if an entry, a link or the lock has changed since it was read. */
async function importUnit(
  job: ImportJob,
  { number, rows: planned }: ImportUnit,
  known: Stored,
  lock: SeenLock,
): Promise<'done' | 'closed'> {
  let [rows, stored] = [planned, known];
  for (;;) {
    const now = new Date();
    const { isKnown, lockedThrough } = lock;
    const { changes, heldBack, locked } = fatesOf(job, rows, stored, lockedThrough, now);
    const created = changes.flatMap(({ before, after }) => (before === null && after ? after.id : []));
    const counts = {
      imported: created.length,
      updated: changes.length - created.length,
      deduped: rows.length - changes.length - locked.length,
      heldBack: heldBack.length,
      locked: locked.length,
    };
    const written = changes.flatMap(({ after }) => after ?? []);
    const imported = entriesHappening('entries.imported', job, written);
    const others = [
      markPut(job, number, created),
      countersUpdate(job, counts, now),
      ...(job.origin === null ? [...heldBack, ...locked] : []).map((each) => heldBackPut(job, each)),
      ...waitingAmong(rows, changes).map((row) => heldBackEnd(job, row)),
      ...(written.length === 0 ? [] : [recordOf(job, now, imported)]),
    ];
    try {
      const unchanged = isKnown ? () => lockUnchanged(job.organizationId, lockedThrough) : undefined;
      await writeEntries(changes, { others, lock: unchanged });
      return 'done';
    } catch (error) {
      if (isMissingLink(error)) rows = await withPresentLinks(job, rows);
      else if (isPeriodLocked(error)) lock.isKnown = true;
      else if (!(error instanceof ConditionFailed)) throw error;
      else if (error.failedAt(MARK)) return 'done';
      else if (error.failedAt(COUNTERS)) return 'closed';
      stored = await readStored(job, rows);
      if (lock.isKnown) lock.lockedThrough = await readLock(job.organizationId);
    }
  }
}

/** Positions in `others`, which come first in the transaction. */
const MARK = 0;
const COUNTERS = 1;

/** Who sends rows brings back what was removed here, a schedule does not. */
function changesOf(
  job: ImportJob,
  rows: readonly PlannedRow[],
  { entries, declinedIds }: Stored,
  now: Date,
): StoredChange[] {
  const respectsRemoval = job.trigger === 'schedule';
  return rows.flatMap((row) => {
    if (respectsRemoval && declinedIds.has(row.entryId)) return [];
    const before = entries.get(row.entryId);
    const after = outcomeOf(row, before, job, now);
    return after ? { before: before ?? null, after, respectsRemoval } : [];
  });
}

interface Fates {
  readonly changes: readonly StoredChange[];
  /** Left because of an invoice. */
  readonly heldBack: readonly HeldBack[];
  /** Left because of the closed period. */
  readonly locked: readonly HeldBack[];
}

function fatesOf(
  job: ImportJob,
  rows: readonly PlannedRow[],
  stored: Stored,
  lockedThrough: LockedThrough,
  now: Date,
): Fates {
  const heldBack = rows.flatMap((row) => {
    const entry = stored.entries.get(row.entryId);
    return entry && isHeldBack(row, entry, job) ? [heldBackRow(row, entry.holdId, job)] : [];
  });
  const { locked = [], open = [] } = Object.groupBy(changesOf(job, rows, stored, now), ({ before, after }) =>
    [before, after].some((each) => each && isLocked(each.entryDate, lockedThrough)) ? 'locked' : 'open',
  );
  const lockedIds = new Set(locked.map(({ after }) => after?.id));
  const lockedRows = rows.filter(({ entryId }) => lockedIds.has(entryId));
  return {
    changes: open,
    heldBack,
    locked: lockedRows.map((row) => lockedRow(row, stored.entries.get(row.entryId), job)),
  };
}

/** Rows that were held back before, and are written now. */
function waitingAmong(rows: readonly PlannedRow[], changes: readonly StoredChange[]): PlannedRow[] {
  const written = new Set(changes.map(({ after }) => after?.id));
  return rows.filter(({ heldBackAt, entryId }) => heldBackAt !== undefined && written.has(entryId));
}

function isMissingLink(error: unknown): boolean {
  return error instanceof Problem && error.code === 'reference_not_found';
}

/** Rows of a client or project that was deleted during the import are imported without the link. */
async function withPresentLinks(
  { organizationId }: Pick<Entry, 'organizationId'>,
  rows: readonly PlannedRow[],
): Promise<PlannedRow[]> {
  const links = await readDirectoryFor(organizationId, rows);
  return rows.map((row) => withoutDeletedLinks(row, links));
}

interface Effect {
  readonly effective: readonly PlannedRow[];
  /** The effective rows, and those that are remembered as held back already. */
  readonly wanted: readonly PlannedRow[];
}

/** The rows of a scheduled import that would change something, or be held back anew. @param job as it would begin */
export async function effectOf(
  job: ImportJob,
  rows: readonly PlannedRow[],
  lockedThrough: LockedThrough,
): Promise<Effect> {
  const stored = await readAndResolve(job.organizationId, idsOf(rows));
  const fates = fatesOf(job, rows, stored, lockedThrough, new Date());
  const changes = fates.changes.map(({ after }) => after?.id);
  const heldBack = [...fates.heldBack, ...fates.locked];
  const rowsOf = (held: readonly HeldBack[]) => {
    const ids = new Set([...changes, ...held.map(({ entryId }) => entryId)]);
    return rows.filter(({ entryId }) => ids.has(entryId));
  };
  return { effective: rowsOf(await newAmong(job, heldBack)), wanted: rowsOf(heldBack) };
}

/**
 * A skipped row whose entry is just being billed would lose its update if the billing is given up. `resolveHolds` refuses
 * instead: the message fails, and SQS delivers it again when that billing has ended or can be ended.
 */
function readStored(job: ImportJob, rows: readonly PlannedRow[]): Promise<Stored> {
  const byEntry = new Map(rows.map((row) => [row.entryId, row]));
  return readAndResolve(job.organizationId, idsOf(rows), (entry) => {
    const row = byEntry.get(entry.id);
    return row !== undefined && wantsUpdate(row, entry, job);
  });
}

function idsOf(rows: readonly PlannedRow[]): string[] {
  return rows.map(({ entryId }) => entryId);
}
