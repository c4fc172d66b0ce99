import * as v from 'valibot';
import { readCollection } from '#shared/data/dynamo/collection.ts';
import { TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { readItem } from '#shared/data/dynamo/item.ts';
import { apiKeyPartition, rosterKey } from '#shared/data/dynamo/keys.ts';
import { pack, unpack } from '#shared/data/dynamo/packed.ts';
import { retrying } from '#shared/data/dynamo/retrying.ts';
import { ConditionFailed, type TransactItem, transact } from '#shared/data/dynamo/transaction.ts';
import { newVersion } from '#shared/data/dynamo/versioned.ts';
import type { Roster } from '#shared/domain/keys/roster.ts';
import { notFound } from '#shared/domain/problems.ts';

/**
 * The roster of an organization's keys: one item, packed, of some 20 KB at most. Whatever makes or revokes a key changes
 * it in the same transaction. So one write revokes a key with all that it made, however many they are, and their number
 * is known without reading them.
 */

interface StoredRoster {
  readonly keys: Roster;
  /** 0 where nothing is stored yet. */
  readonly version: number;
}

const rosterKeys = v.array(
  v.object({ id: v.string(), createdByKeyId: v.nullish(v.string(), null), expiresAt: v.nullable(v.string()) }),
);

const rosterItem = v.object({ packed: v.instance(Uint8Array), version: v.number() });

export async function readRoster(organizationId: string): Promise<Roster> {
  return (await readStored(organizationId)).keys;
}

/** Keys are older than rosters. Until the first change there is none, and the keys themselves tell which there are. */
async function readStored(organizationId: string): Promise<StoredRoster> {
  const item = await readItem(rosterKey(organizationId));
  if (item) {
    const { packed, version } = v.parse(rosterItem, item);
    return { keys: v.parse(rosterKeys, await unpack([packed])), version };
  }
  const listings = await readCollection({ partition: apiKeyPartition(organizationId) });
  return { keys: v.parse(rosterKeys, listings), version: 0 };
}

/**
 * Changes the roster in one transaction with other items. Of two changes at the same moment, the second starts from the
 * outcome of the first.
 *
 * @returns the roster before the change
 * @throws Problem `not_found` if a condition of the other items does not hold, and what `change` throws
 */
export async function changeRoster(
  organizationId: string,
  change: (roster: Roster) => Roster,
  others: readonly TransactItem[],
): Promise<Roster> {
  const read = () => readStored(organizationId);
  return retrying(read, async ({ keys, version }) => {
    const [packed] = await pack(change(keys));
    const Item = { ...rosterKey(organizationId), packed, version: newVersion() };
    try {
      await transact([{ Put: { TableName: TABLE_NAME, Item, ...unchanged(version) } }, ...others]);
    } catch (error) {
      throw error instanceof ConditionFailed && !error.failedAt(ROSTER) ? notFound() : error;
    }
    return keys;
  });
}

/** Position in the transaction. */
const ROSTER = 0;

function unchanged(version: number) {
  return version === 0
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } };
}
