import { readLock } from '#shared/data/directory/lock.ts';
import { record } from '#shared/data/events/outbox.ts';
import { readDoneUnits } from '#shared/data/remote/import-marks.ts';
import { readUndoing, removalUpdate, undoneUpdate } from '#shared/data/remote/import-removals.ts';
import { readAndResolve } from '#shared/data/remote/imported-entries.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { ConditionFailed, Outdated, transact, type Write } from '#shared/data/table/transaction.ts';
import { writeEntries } from '#shared/data/tracker/entries.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { type Actor, entriesHappening, type Happening } from '#shared/domain/events/happening.ts';
import { isLocked, isPeriodLocked, type LockedThrough } from '#shared/domain/lock.ts';
import { type Problem, retryable } from '#shared/domain/problems.ts';
import { assertUndoable, type ImportJob } from '#shared/domain/remote/import-job.ts';
import { removalsOf } from '#shared/domain/remote/import-units.ts';
import { spread } from '#shared/domain/spread.ts';
import { millisecondsLeft } from '#shared/runtime/deadline.ts';

/** Each transaction removes entries and adds their number to the job, so an interrupted undoing can go on later. */

export interface Undoing {
  readonly removedCount: number;
  readonly keptInvoicedCount: number;
  readonly keptEditedCount: number;
  readonly keptLockedCount: number;
}

type Answer = (undoing: Undoing) => Promise<readonly Write[]>;

export async function previewUndo(job: ImportJob): Promise<Undoing> {
  assertUndoable(job);
  const [own, lockedThrough] = await Promise.all([readOwn(job, await importedIds(job)), readLock(job.organizationId)]);
  const { removable, ...kept } = byFate(own, lockedThrough);
  return { removedCount: removable.length, ...kept };
}

/**
 * @param actor who undoes it
 * @throws Problem `import_not_undoable`, `invoicing_in_progress`; `temporarily_unavailable` when more requests are needed
 * @throws ConditionFailed when another request has undone it meanwhile
 */
export async function undoImport(job: ImportJob, actor: Actor, now: Date, answer: Answer): Promise<Undoing> {
  assertUndoable(job);
  const ids = await importedIds(job);
  // Before a refusal has told, nothing is taken for locked.
  for (let lockedThrough: LockedThrough = null; ; lockedThrough = await readLock(job.organizationId)) {
    const { removable, ...kept } = byFate(await readOwn(job, ids), lockedThrough);
    // Only checks that the outcome can be shown. The last transaction keeps the answer, with all that was removed.
    await answer({ removedCount: removable.length, ...kept });
    const isComplete = await removeAll(job, removable, (event) => record(job.organizationId, actor, now, [event]));
    if (isComplete) return end(job, now, (removedCount) => ({ removedCount, ...kept }), answer);
  }
}

async function importedIds(job: ImportJob): Promise<string[]> {
  return (await readDoneUnits(job)).flatMap(({ entryIds }) => entryIds);
}

/** If an entry was deleted by hand, another job may have imported it again. */
async function readOwn({ organizationId, id }: ImportJob, entryIds: readonly string[]): Promise<StoredEntry[]> {
  const isOwn = ({ imported }: StoredEntry) => imported?.jobId === id;
  const { entries } = await readAndResolve(organizationId, entryIds, isOwn);
  return [...entries.values()].filter(isOwn);
}

/** @param entries name a hold only if an invoice bills them */
function byFate(entries: readonly StoredEntry[], lockedThrough: LockedThrough) {
  const { removable = [], ...kept } = Object.groupBy(entries, ({ holdId, imported, entryDate }) => {
    if (holdId !== null) return 'invoiced';
    if (imported?.isEdited) return 'edited';
    return isLocked(entryDate, lockedThrough) ? 'locked' : 'removable';
  });
  const countOf = (fate: keyof typeof kept) => kept[fate]?.length ?? 0;
  return {
    removable,
    keptInvoicedCount: countOf('invoiced'),
    keptEditedCount: countOf('edited'),
    keptLockedCount: countOf('locked'),
  };
}

/** @returns whether all were removed; if not, some have changed or were locked since they were read */
async function removeAll(
  job: ImportJob,
  entries: readonly StoredEntry[],
  recorded: (event: Happening) => Write,
): Promise<boolean> {
  let isComplete = true;
  let removedCount = 0;
  const goneProjects = new Set<string>();
  // A day takes fewer writes in a second than the table.
  for (const removal of spread(removalsOf(entries), ([first]) => first?.entryDate ?? '')) {
    if (millisecondsLeft() < RESERVE_MILLISECONDS) throw unfinished(removedCount, entries.length);
    const changes = removal.map((before) => ({ before, after: null }));
    const others = [removalUpdate(job, removal.length), recorded(entriesHappening('entries.removed', job, removal))];
    try {
      await writeEntries(changes, { others, goneProjects });
      removedCount += removal.length;
    } catch (error) {
      if (!(error instanceof ConditionFailed || isPeriodLocked(error))) throw error;
      if (error instanceof ConditionFailed && error.failedAt(COUNTER)) throw error;
      isComplete = false;
    }
  }
  return isComplete;
}

/** For a transaction that the table throttles for a while, and to tell how far it came. */
const RESERVE_MILLISECONDS = 3_000;

/** With the longest texts, a table that was idle takes more seconds than a request has. */
function unfinished(removedCount: number, count: number): Problem {
  return retryable(
    'temporarily_unavailable',
    `The time was enough for ${removedCount} of ${count} entries, which are removed. Send the request again to go on.`,
  );
}

/** Position in the transaction. */
const COUNTER = 0;

/** Another undoing may count removals of its own at the same moment: the count is read again then. */
async function end(
  job: ImportJob,
  now: Date,
  outcome: (removedCount: number) => Undoing,
  answer: Answer,
): Promise<Undoing> {
  return retrying(
    async () => {
      const found = await readUndoing(job);
      if (found.status === 'undone') throw new Outdated();
      return found;
    },
    async ({ removedCount }) => {
      const undoing = outcome(removedCount);
      await transact([undoneUpdate(job, removedCount, now), ...(await answer(undoing))]);
      return undoing;
    },
  );
}
