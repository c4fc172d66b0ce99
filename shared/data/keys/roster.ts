import * as v from 'valibot';
import { rosterKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import { pack, unpack } from '#shared/data/table/packed.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { ConditionFailed, type TransactItem, transact } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/table/versioned.ts';
import { IS_ABSENT, put } from '#shared/data/table/writes.ts';
import type { Roster } from '#shared/domain/keys/roster.ts';
import { notFound } from '#shared/domain/problems.ts';

/** The live keys of an organization in one packed item, at most some 20 KB: one write revokes a whole family. */

interface StoredRoster {
  readonly keys: Roster;
  readonly stored: Versioned | null;
}

const rosterKeys = v.array(
  v.object({ id: v.string(), createdByKeyId: v.nullable(v.string()), expiresAt: v.nullable(v.string()) }),
);

const rosterItem = v.object({ packed: v.instance(Uint8Array), version: v.number() });

export async function readRoster(organizationId: string): Promise<Roster> {
  return (await readStored(organizationId)).keys;
}

async function readStored(organizationId: string): Promise<StoredRoster> {
  const item = await readItem(rosterKey(organizationId));
  if (!item) return { keys: [], stored: null };
  const stored = v.parse(rosterItem, item);
  return { keys: v.parse(rosterKeys, await unpack([stored.packed])), stored };
}

/**
 * @returns the roster before the change
 * @throws Problem `not_found` if a condition of the other items does not hold
 */
export async function changeRoster(
  organizationId: string,
  change: (roster: Roster) => Roster,
  others: readonly TransactItem[],
): Promise<Roster> {
  const read = () => readStored(organizationId);
  return retrying(read, async ({ keys, stored }) => {
    const item = await itemOf(organizationId, change(keys));
    try {
      await transact([put(item, stored ? unchangedSince(stored) : IS_ABSENT), ...others]);
    } catch (error) {
      throw error instanceof ConditionFailed && !error.failedAt(ROSTER) ? notFound() : error;
    }
    return keys;
  });
}

export async function firstRoster(organizationId: string, keys: Roster): Promise<TransactItem> {
  return put(await itemOf(organizationId, keys), IS_ABSENT);
}

async function itemOf(organizationId: string, keys: Roster) {
  const [packed] = await pack(keys);
  return { ...rosterKey(organizationId), packed, version: newVersion() };
}

/** Position in the transaction. */
const ROSTER = 0;
