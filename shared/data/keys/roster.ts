import * as v from 'valibot';
import { rosterKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import { pack, unpack } from '#shared/data/table/packed.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { type TransactItem, transact, type Write } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/table/versioned.ts';
import { assign, IS_ABSENT, put } from '#shared/data/table/writes.ts';
import type { Roster } from '#shared/domain/keys/roster.ts';

/**
 * The live keys of an organization in one packed item, at most some 20 KB: one write revokes a whole family. A change
 * carries what it does not know of a key.
 */

export interface StoredRoster {
  readonly keys: Roster;
  readonly stored: Versioned | null;
}

const rosterKeys = v.array(
  v.looseObject({ id: v.string(), createdByKeyId: v.nullable(v.string()), expiresAt: v.nullable(v.string()) }),
);

const rosterItem = v.object({ packed: v.instance(Uint8Array), version: v.number() });

export async function readRoster(organizationId: string): Promise<Roster> {
  return (await readStoredRoster(organizationId)).keys;
}

export async function readStoredRoster(organizationId: string): Promise<StoredRoster> {
  const item = await readItem(rosterKey(organizationId));
  if (!item) return { keys: [], stored: null };
  const stored = v.parse(rosterItem, item);
  return { keys: v.parse(rosterKeys, await unpack([stored.packed])), stored };
}

/** For a transaction, which fails where the roster is not as it was read. @param before none for a new organization */
export async function rosterPut(organizationId: string, keys: Roster, before?: StoredRoster): Promise<TransactItem> {
  const stored = before?.stored;
  const [packed] = await pack(keys);
  const item = { ...rosterKey(organizationId), packed, version: newVersion() };
  const read = v.parser(rosterItem);
  return stored ? assign(item, read, unchangedSince(stored)) : put(item, read, IS_ABSENT);
}

interface RosterChange {
  readonly keys: Roster;
  /** Written in the same transaction. Whatever refuses them is told by their refusals. */
  readonly others: readonly Write[];
}

/** @returns the roster before the change */
export async function changeRoster(
  organizationId: string,
  change: (roster: Roster) => RosterChange | Promise<RosterChange>,
  write: (items: readonly Write[]) => Promise<void> = transact,
): Promise<Roster> {
  const read = () => readStoredRoster(organizationId);
  return retrying(read, async (before) => {
    const { keys, others } = await change(before.keys);
    await write([await rosterPut(organizationId, keys, before), ...others]);
    return before.keys;
  });
}
