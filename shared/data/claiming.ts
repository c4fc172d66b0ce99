import { setTimeout as sleep } from 'node:timers/promises';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { Problem } from '#shared/domain/problems.ts';
import { claimPut, releasingPut } from './claims.ts';
import { database, TABLE_NAME } from './client.ts';
import { readCollection } from './collection.ts';
import { claimingKey, claimingPartition, claimKey } from './table.ts';
import { type TransactItem, tryTransact } from './transaction.ts';

/**
 * Who is just now claiming the time of a client in more than one transaction. There is one record for each client, so that two requests that
 * want the same entries do not take each half of them: while one has it, the others wait, and then bill what is left. It is also the outbox of
 * claims that are unfinished: whoever finds a record that has outlived every request gives up what it was for.
 */

const claiming = v.object({
  organizationId: v.string(),
  clientId: v.string(),
  claimId: v.string(),
  expiresAt: v.string(),
});

export type Claiming = v.InferOutput<typeof claiming>;

type Claimed = Pick<Claiming, 'organizationId' | 'clientId'>;

/** Twice the time that the function has for a request; and a request that lives on all the same can then write nothing more. */
const LIFETIME_MILLISECONDS = 60_000;

/** Leaves the request that waits time for its own work. Who has been claiming for longer has most likely died, and is not waited for at all. */
const PATIENCE_MILLISECONDS = 12_000;

const PAUSE_MILLISECONDS = 200;

/**
 * Starts a pending claim as the only one that is claiming time of its client.
 *
 * @throws Problem `invoicing_in_progress` when another one does not end
 */
export async function beginClaiming(wanted: Claimed & { readonly claimId: string }): Promise<Claiming> {
  const { organizationId, clientId, claimId } = wanted;
  for (;;) {
    await waitWhileClaimed(wanted);
    const record = { ...wanted, expiresAt: new Date(Date.now() + LIFETIME_MILLISECONDS).toISOString() };
    const Item = { ...claimingKey(organizationId, clientId), ...record };
    const put = { Put: { TableName: TABLE_NAME, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
    if (await tryTransact([put, claimPut(organizationId, claimId, 'pending')])) return record;
  }
}

/** @throws Problem `invoicing_in_progress` when that does not end */
export async function waitWhileClaimed(client: Claimed): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const record = await findClaiming(client);
    if (!record) return;
    const left = Date.parse(record.expiresAt) - Date.now();
    const isLate = left < LIFETIME_MILLISECONDS - PATIENCE_MILLISECONDS;
    if (left <= 0) await abandonClaiming(record, new Date());
    else if (isLate || performance.now() - startedAt > PATIENCE_MILLISECONDS) throw inProgress(left);
    else await sleep(PAUSE_MILLISECONDS * (0.5 + Math.random()));
  }
}

/** @param left milliseconds after which the other request is given up */
function inProgress(left: number): Problem {
  return new Problem('invoicing_in_progress', {
    detail: "Another request is putting the client's time on an invoice.",
    headers: { 'Retry-After': String(Math.ceil(left / 1_000)) },
  });
}

async function findClaiming({ organizationId, clientId }: Claimed): Promise<Claiming | undefined> {
  const { Item } = await database.send(
    new GetCommand({ TableName: TABLE_NAME, Key: claimingKey(organizationId, clientId), ConsistentRead: true }),
  );
  return Item && v.parse(claiming, Item);
}

/** The condition that nobody is claiming time of the client, for a claim in a single transaction. */
export function unclaimedCheck({ organizationId, clientId }: Claimed): TransactItem {
  return {
    ConditionCheck: {
      TableName: TABLE_NAME,
      Key: claimingKey(organizationId, clientId),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** For the transaction that ends a claiming; fails when another request has ended it. */
export function claimingEnd({ organizationId, clientId, claimId }: Claiming): TransactItem {
  return {
    Delete: {
      TableName: TABLE_NAME,
      Key: claimingKey(organizationId, clientId),
      ConditionExpression: 'claimId = :claim',
      ExpressionAttributeValues: { ':claim': claimId },
    },
  };
}

/** Gives up a pending claim: its entries are as free as before. @returns false when it had ended already */
export function abandonClaiming(record: Claiming, now: Date): Promise<boolean> {
  const { organizationId, claimId } = record;
  return tryTransact([
    claimingEnd(record),
    {
      Delete: {
        TableName: TABLE_NAME,
        Key: claimKey(organizationId, claimId),
        ConditionExpression: '#state = :pending',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':pending': 'pending' },
      },
    },
    releasingPut(organizationId, claimId, now),
  ]);
}

/** The records of all organizations that had outlived their requests at an instant. */
export async function listClaimings(expiredBefore: Date): Promise<Claiming[]> {
  const items = await readCollection({
    partition: claimingPartition,
    filter: { expression: 'expiresAt < :before', values: { ':before': expiredBefore.toISOString() } },
  });
  return items.map((item) => v.parse(claiming, item));
}
