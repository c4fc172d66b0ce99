import { LockAwaited, unlockedFrom } from '#shared/data/directory/lock.ts';
import { entryKey, projectKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { readItem } from '#shared/data/table/item.ts';
import type { ReadBound } from '#shared/data/table/read-bound.ts';
import { sumsUpdate } from '#shared/data/table/sums.ts';
import { ConditionFailed, type TransactItem, transact, type Write } from '#shared/data/table/transaction.ts';
import { EXISTS } from '#shared/data/table/writes.ts';
import { notFound, overloaded, referenceNotFound } from '#shared/domain/problems.ts';
import { amountMinorOf, type Entry } from '#shared/domain/tracker/entry.ts';
import { declinedIdOf, entryWrites, parseEntry, type StoredChange, type StoredEntry } from './entry-items.ts';
import { ledgerUpdates, type Share, sumsOf } from './ledger.ts';
import { stepAside } from './step-aside.ts';

/** One transaction writes entries and all sums that they change: no crash can leave a sum that is wrong. */

/** @throws Problem `not_found` */
export async function readEntry(organizationId: string, id: string): Promise<StoredEntry> {
  const item = await readItem(entryKey(organizationId, id));
  if (!item || declinedIdOf(item)) throw notFound();
  return parseEntry(organizationId, item);
}

export async function readEntries(
  organizationId: string,
  ids: Iterable<string>,
  bound?: ReadBound,
): Promise<StoredEntry[]> {
  return (await readEntriesAndDeclined(organizationId, ids, bound)).entries;
}

/** @returns as {@link readEntries}, with the ids of imported entries that were removed here */
export async function readEntriesAndDeclined(
  organizationId: string,
  ids: Iterable<string>,
  bound?: ReadBound,
): Promise<{ readonly entries: StoredEntry[]; readonly declinedIds: string[] }> {
  const keys = [...new Set(ids)].map((id) => entryKey(organizationId, id));
  const items = await batchGet(keys, bound);
  const found = items.map((item) => declinedIdOf(item) ?? parseEntry(organizationId, item));
  return {
    entries: found.filter((each) => typeof each !== 'string'),
    declinedIds: found.filter((each) => typeof each === 'string'),
  };
}

export interface WriteOptions {
  /** They come first, so `ConditionFailed` tells their positions. */
  readonly others?: readonly TransactItem[];
  /** Projects that are known to be deleted, which have no totals to change. {@link writeEntries} adds to them. */
  readonly goneProjects?: Set<string>;
  /** Makes the check of one who leaves locked dates alone: that they are still those. */
  readonly lock?: () => Write;
}

/** Nobody sets the lock so often. */
const MAX_WAITS = 5;

/**
 * The written entries name no hold.
 *
 * @param changes with the sums, at most 100 items. Each `before` is free, as `resolveHolds` has found
 * @throws Problem `reference_not_found` when the project of an entry does not exist; `period_locked`; ConditionFailed
 */
export async function writeEntries(
  changes: readonly StoredChange[],
  { others = [], goneProjects = new Set(), lock }: WriteOptions = {},
): Promise<void> {
  for (let waits = 0; ; ) {
    const writes = changes.flatMap(entryWrites);
    const totals = projectUpdates(changes, goneProjects);
    const ownItems = [...others, ...writes, ...ledgerUpdates(changes)];
    const locks = lock ? [lock()] : lockChecks(changes);
    try {
      const items = [...ownItems, ...totals.map(({ item }) => item), ...locks];
      return await transact(items, stepAside);
    } catch (error) {
      if (error instanceof LockAwaited) {
        if (waits === MAX_WAITS) throw overloaded();
        waits += 1;
        await error.over();
        continue;
      }
      if (!(error instanceof ConditionFailed)) throw error;
      const isOwn = error.positions.some((position) => position < ownItems.length);
      const gone = totals.filter((_, index) => error.failedAt(ownItems.length + index));
      if (isOwn || gone.length === 0) throw error;
      if (gone.some(({ isLinked }) => isLinked)) throw referenceNotFound('projectId');
      for (const { projectId } of gone) goneProjects.add(projectId);
    }
  }
}

/** One for all changes, which are of one organization: the earliest date, from or to which one moves, is not locked. */
function lockChecks(changes: readonly StoredChange[]): Write[] {
  const written = changes.filter(({ keepsWork }) => !keepsWork).flatMap(({ before, after }) => [before, after]);
  const entries = written.filter((entry) => entry !== null);
  const [first] = entries.map(({ entryDate }) => entryDate).toSorted();
  return entries.slice(0, 1).flatMap(({ organizationId }) => (first ? unlockedFrom(organizationId, first) : []));
}

interface ProjectUpdate {
  readonly item: TransactItem;
  readonly projectId: string;
  readonly isLinked: boolean;
}

function projectUpdates(changes: readonly StoredChange[], gone: ReadonlySet<string>): ProjectUpdate[] {
  const linked = new Set(changes.map(({ after }) => after?.projectId));
  return sumsOf(changes, projectShares).flatMap(({ key, projectId, sums }) => {
    const item = gone.has(projectId) ? undefined : sumsUpdate(key, sums, EXISTS);
    return item ? [{ item, projectId, isLinked: linked.has(projectId) }] : [];
  });
}

function projectShares(entry: Entry): (Share & { readonly projectId: string })[] {
  const { organizationId, projectId, currency } = entry;
  if (projectId === null) return [];
  const minutes = BigInt(entry.durationMinutes);
  const contributions = [
    ['totalMinutes', minutes],
    ['billableMinutes', entry.billable ? minutes : 0n],
    ['roundingMinutes', BigInt(entry.billedMinutes - entry.durationMinutes)],
    [`amount_${currency}`, amountMinorOf(entry)],
  ] as const;
  return [{ key: projectKey(organizationId, projectId), projectId, contributions }];
}
