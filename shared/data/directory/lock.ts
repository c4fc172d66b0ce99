import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { lockKey, lockKeys } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import type { Item } from '#shared/data/table/query.ts';
import { Outdated, refusing, type TransactItem, transact, type Write } from '#shared/data/table/transaction.ts';
import { assign, check, put, remove } from '#shared/data/table/writes.ts';
import { isLocked, type LockedThrough, periodLocked } from '#shared/domain/lock.ts';

/**
 * The last date on which the entries of an organization are locked lies in five equal items. Each transaction that writes
 * entries checks one of them, and the one that sets the date writes all: once it is answered, nothing is written behind
 * it, however late a transaction arrives. A check holds its item, so with a single one all writers would wait in line.
 *
 * Whoever only shows the date takes it from the directory, which is read anyway.
 */

const stored = v.object({
  lockedThrough: v.optional(v.nullable(v.string()), null),
  /** Milliseconds since the epoch. Until then, writers leave the item to who sets the date. */
  awaitedUntil: v.optional(v.number(), 0),
});

type Lock = v.InferOutput<typeof stored>;

const lockIn = (item: Item | undefined): Lock => v.parse(stored, item ?? {});

/** For one who does not read the directory. */
export async function readLock(organizationId: string): Promise<LockedThrough> {
  return lockIn(await readItem(lockKey(organizationId))).lockedThrough;
}

/** Above what it takes to set the date while two hundred write. */
const AWAITED_MILLISECONDS = 1_000;

const SPREAD_MILLISECONDS = 250;

/** Somebody is about to set the date. Who tries again before that is over stands in the way. */
export class LockAwaited extends Error {
  readonly #until: number;

  constructor(until: number) {
    super();
    this.#until = until;
  }

  async over(): Promise<void> {
    const left = Math.min(Math.max(0, this.#until - Date.now()), AWAITED_MILLISECONDS);
    await sleep(left + Math.random() * SPREAD_MILLISECONDS);
  }
}

/** Of who sets the date. A transaction takes some 20 ms, and the next one begins at once. */
export const LOCK_PAUSE_MILLISECONDS = 20;

/** Among many writers, nobody would ever meet all five items free. Each of them is soon free, and keeps others away then. */
export async function awaitLock(organizationId: string): Promise<void> {
  const awaitedUntil = Date.now() + AWAITED_MILLISECONDS;
  const awaited = lockKeys(organizationId).map((key) => assign({ ...key, awaitedUntil }, v.parser(stored)));
  await Promise.all(awaited.map((write) => transact([write], undefined, LOCK_PAUSE_MILLISECONDS)));
}

export function lockWrites(organizationId: string, lockedThrough: LockedThrough): TransactItem[] {
  return lockKeys(organizationId).map((key) =>
    lockedThrough === null ? remove(key) : put({ ...key, lockedThrough }, v.parser(stored)),
  );
}

/** @param from the first date on which entries are written; the refusal is a Problem `period_locked` */
export function unlockedFrom(organizationId: string, from: string): Write {
  const refusal = ({ lockedThrough, awaitedUntil }: Lock) =>
    isLocked(from, lockedThrough) ? periodLocked(lockedThrough) : new LockAwaited(awaitedUntil);
  return lockCheck(organizationId, '(attribute_not_exists(lockedThrough) OR lockedThrough < :date)', from, refusal);
}

/** @param seen as the writer has read it, who leaves locked dates alone; the refusal is an Outdated */
export function lockUnchanged(organizationId: string, seen: LockedThrough): Write {
  const isSame = seen === null ? 'attribute_not_exists(lockedThrough)' : 'lockedThrough = :date';
  const refusal = ({ lockedThrough, awaitedUntil }: Lock) =>
    lockedThrough === seen ? new LockAwaited(awaitedUntil) : new Outdated();
  return lockCheck(organizationId, isSame, seen, refusal);
}

function lockCheck(
  organizationId: string,
  condition: string,
  date: LockedThrough,
  refusal: (met: Lock) => Error,
): Write {
  const checked = check(lockKey(organizationId), {
    ConditionExpression: `${condition} AND (attribute_not_exists(awaitedUntil) OR awaitedUntil < :now)`,
    ExpressionAttributeValues: { ':now': Date.now(), ...(date !== null && { ':date': date }) },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  return refusing(checked, (met) => refusal(lockIn(met)));
}
