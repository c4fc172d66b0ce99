import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { readCollection } from '#shared/data/dynamo/collection.ts';
import { database, TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { readItem } from '#shared/data/dynamo/item.ts';
import { claimedEntriesKey, releasingKey, releasingPartition } from '#shared/data/dynamo/keys.ts';
import { ConditionFailed, transact } from '#shared/data/dynamo/transaction.ts';
import { entryRelease, ITEMS_OF_ENTRY, readClaimedEntries } from '#shared/data/tracker/claims.ts';
import { readEntries } from '#shared/data/tracker/entries.ts';

/**
 * Clears what entries still say of claims that have ended. Nobody sees these remains (`claims.ts`), so there is no
 * hurry. The end of a claim leaves a record, which stays until the last entry is cleared. If a worker dies, this record
 * brings the work back.
 */

const releasing = v.object({ organizationId: v.string(), claimId: v.string(), createdAt: v.string() });

type Releasing = v.InferOutput<typeof releasing>;

type Ended = Pick<Releasing, 'organizationId' | 'claimId'>;

/** @returns undefined when nothing is left to clear */
export async function findReleasing({ organizationId, claimId }: Ended): Promise<Releasing | undefined> {
  const item = await readItem(releasingKey(organizationId, claimId));
  return item && v.parse(releasing, item);
}

/** The records of all organizations that existed at an instant. */
export async function listReleasings(createdBefore: Date): Promise<Releasing[]> {
  const items = await readCollection({
    partition: releasingPartition,
    filter: { expression: 'createdAt < :before', values: { ':before': createdBefore.toISOString() } },
  });
  return items.map((item) => v.parse(releasing, item));
}

/** A transaction of DynamoDB writes 100 items. */
const ENTRIES_PER_TRANSACTION = 100 / ITEMS_OF_ENTRY;

/**
 * @param mayGoOn asked before each step; once false, it stays false
 * @returns whether the end was reached; if not, call again
 */
export async function releaseEntries({ organizationId, claimId }: Ended, mayGoOn: () => boolean): Promise<boolean> {
  const entryIds = await readClaimedEntries(organizationId, claimId);
  for (let start = 0; start < entryIds.length; start += ENTRIES_PER_TRANSACTION) {
    if (!mayGoOn()) return false;
    await releaseAll(organizationId, claimId, entryIds.slice(start, start + ENTRIES_PER_TRANSACTION));
  }
  return true;
}

/** If another claim takes an entry at the same moment, reads again: the entry then no longer belongs to this claim. */
async function releaseAll(organizationId: string, claimId: string, entryIds: readonly string[]): Promise<void> {
  for (;;) {
    const held = (await readEntries(organizationId, entryIds)).filter((entry) => entry.claimId === claimId);
    if (held.length === 0) return;
    try {
      return await transact(held.flatMap((entry) => entryRelease(entry, claimId)));
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}

/** Deletes the record last: until then, it brings the work back. */
export async function finishReleasing({ organizationId, claimId }: Ended): Promise<void> {
  for (const Key of [claimedEntriesKey(organizationId, claimId), releasingKey(organizationId, claimId)]) {
    await database.send(new DeleteCommand({ TableName: TABLE_NAME, Key }));
  }
}
