import { entryKey, projectKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { readItem } from '#shared/data/table/item.ts';
import type { ReadBound } from '#shared/data/table/read-bound.ts';
import { sumsUpdate } from '#shared/data/table/sums.ts';
import { ConditionFailed, type TransactItem, transact } from '#shared/data/table/transaction.ts';
import { EXISTS } from '#shared/data/table/writes.ts';
import { notFound, referenceNotFound } from '#shared/domain/problems.ts';
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
}

/**
 * The written entries name no hold.
 *
 * @param changes with the sums, at most 100 items. Each `before` is free, as `resolveHolds` has found
 * @throws Problem `reference_not_found` when the project of an entry does not exist; ConditionFailed
 */
export async function writeEntries(
  changes: readonly StoredChange[],
  { others = [], goneProjects = new Set() }: WriteOptions = {},
): Promise<void> {
  for (;;) {
    const writes = changes.flatMap(entryWrites);
    const totals = projectUpdates(changes, goneProjects);
    const ownItems = [...others, ...writes, ...ledgerUpdates(changes)];
    try {
      const items = [...ownItems, ...totals.map(({ item }) => item)];
      return await transact(items, stepAside);
    } catch (error) {
      const isOwn = error instanceof ConditionFailed && error.positions.some((position) => position < ownItems.length);
      if (!(error instanceof ConditionFailed) || isOwn) throw error;
      const gone = totals.filter((_, index) => error.failedAt(ownItems.length + index));
      if (gone.some(({ isLinked }) => isLinked)) throw referenceNotFound('projectId');
      for (const { projectId } of gone) goneProjects.add(projectId);
    }
  }
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
    [`amount_${currency}`, amountMinorOf(entry)],
  ] as const;
  return [{ key: projectKey(organizationId, projectId), projectId, contributions }];
}
