import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { database, TABLE_NAME } from './client.ts';
import { readCollection } from './collection.ts';
import { unlinkingKey, unlinkingPartition } from './table.ts';
import type { TransactItem } from './transaction.ts';

/**
 * The outbox of unfinished unlinking. Deleting a project or a client takes one transaction, however many entries are linked to it; the same
 * transaction leaves a record here, which is open until the last link is gone. Whatever dies in between, the record brings the work back.
 *
 * A finished record stays for a while: whoever read an entry before its link went, from the table or from an index that is behind, asks
 * for the name of the client afterwards.
 */

const unlinking = v.object({
  kind: v.picklist(['project', 'client']),
  organizationId: v.string(),
  id: v.string(),
  /** What remains visible of a deleted client. */
  name: v.string(),
  createdAt: v.string(),
});

export type Unlinking = v.InferOutput<typeof unlinking>;

/** Longer than any request lives, and than an index is ever behind. */
const NAME_IS_KEPT_MILLISECONDS = 60 * 60_000;

type Subject = Pick<Unlinking, 'kind' | 'organizationId' | 'id'>;

const keyOf = ({ kind, organizationId, id }: Subject) => unlinkingKey(organizationId, kind, id);

/** The record, to be put in the transaction that deletes what it names. */
export function unlinkingPut(record: Unlinking): TransactItem {
  return { Put: { TableName: TABLE_NAME, Item: { ...keyOf(record), ...record } } };
}

/** @returns undefined when no link is left to remove */
export async function findUnlinking(subject: Subject): Promise<Unlinking | undefined> {
  const { Item } = await database.send(
    new GetCommand({ TableName: TABLE_NAME, Key: keyOf(subject), ConsistentRead: true }),
  );
  return Item && !Item.finishedAt ? v.parse(unlinking, Item) : undefined;
}

export async function finishUnlinking(record: Unlinking, now: Date): Promise<void> {
  const expiresAtEpochSeconds = Math.ceil((now.getTime() + NAME_IS_KEPT_MILLISECONDS) / 1_000);
  const Item = { ...keyOf(record), ...record, finishedAt: now.toISOString(), expiresAtEpochSeconds };
  await database.send(new PutCommand({ TableName: TABLE_NAME, Item }));
}

/** The open records of all organizations that were already there at an instant. */
export async function listUnlinkings(createdBefore: Date): Promise<Unlinking[]> {
  const items = await readCollection({
    partition: unlinkingPartition,
    filter: {
      expression: 'createdAt < :before AND attribute_not_exists(finishedAt)',
      values: { ':before': createdBefore.toISOString() },
    },
  });
  return items.map((item) => v.parse(unlinking, item));
}
