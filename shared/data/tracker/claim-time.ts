import { ConditionFailed, type TransactItem, transact } from '#shared/data/dynamo/transaction.ts';
import { abandonClaiming, type Claiming, claimingCheck, claimingEnd, claimingPut, newClaiming } from './claiming.ts';
import { claimedEntriesPut, claimPut, entryClaim, ITEMS_OF_ENTRY } from './claims.ts';
import type { StoredEntry } from './entry-items.ts';

/**
 * Claim, then commit: how an invoice comes to its entries, few or many. First, a record says that this request is
 * claiming the client's time, and the entries are given to a claim that does not exist yet, in as many transactions as
 * they need. Nobody sees any of this. Then one transaction writes the lines, makes the claim and ends the record.
 *
 * A request that dies on the way leaves the record. The next request for the client gives up the claim, or the schedule
 * `sweep-claims` does. From then on the dead request, should it wake up, can write nothing more.
 */

/** DynamoDB's own limit, less one for what may go along (`shared/data/dynamo/companion.ts`). */
export const MAX_TRANSACTION_ITEMS = 99;

interface Holder<E> {
  readonly invoiceId: string;
  readonly claimId: string;
  /**
   * Reads entries again, because at least one of them has changed. Reads no other entries. What it leaves out is not
   * claimed.
   */
  readonly readAgain: (ids: readonly string[]) => Promise<readonly E[]>;
}

interface Wanted<E> extends Holder<E>, Pick<Claiming, 'organizationId' | 'clientId'> {
  /** Free entries, as they were read. */
  readonly entries: readonly E[];
  readonly maxTransactionItems: number;
}

/**
 * Gives entries to a claim, which counts from the transaction of `commit` on.
 *
 * @param commit writes what bills the entries, in one transaction with the given writes. It gets the entries as they
 * were claimed.
 * @returns undefined when another request is claiming the client's time
 * @throws ConditionFailed when the claim was given up, and what `commit` throws
 */
export async function claimThenCommit<E extends StoredEntry, Outcome>(
  wanted: Wanted<E>,
  commit: (claimed: readonly E[], writes: readonly TransactItem[]) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  const { organizationId, claimId, entries, maxTransactionItems } = wanted;
  if (entries.length === 0) return commit([], []);
  const claiming = newClaiming(wanted, claimId);
  const beginning = [claimingPut(claiming), await claimedEntriesPut(organizationId, claimId, entries)];
  const size = entriesBeside(beginning, maxTransactionItems);
  try {
    const first = await begun(claimSome(entries.slice(0, size), beginning, wanted));
    if (!first) return undefined;
    const others = await claimInSteps(entries.slice(size), { ...wanted, check: claimingCheck(claiming) });
    return await commit([...first, ...others], [claimPut(organizationId, claimId), claimingEnd(claiming)]);
  } catch (error) {
    // If this fails too, the next request for the client gives up the claim, or the schedule does.
    await abandonClaiming(claiming, new Date()).catch(() => false);
    throw error;
  }
}

/** @returns undefined when another request has the record */
async function begun<Claimed>(beginning: Promise<Claimed>): Promise<Claimed | undefined> {
  try {
    return await beginning;
  } catch (error) {
    if (error instanceof ConditionFailed && error.failedAt(0)) return undefined;
    throw error;
  }
}

function entriesBeside(items: readonly TransactItem[], maxTransactionItems: number): number {
  return Math.floor((maxTransactionItems - items.length) / ITEMS_OF_ENTRY);
}

interface Steps<E> extends Holder<E>, Pick<Wanted<E>, 'maxTransactionItems'> {
  /** What must hold while the claim takes entries. */
  readonly check: TransactItem;
}

/**
 * Gives a claim more entries than one transaction holds.
 *
 * @returns the entries as they were claimed
 * @throws ConditionFailed when the check does not hold
 */
export async function claimInSteps<E extends StoredEntry>(entries: readonly E[], steps: Steps<E>): Promise<E[]> {
  const size = entriesBeside([steps.check], steps.maxTransactionItems);
  const claimed: E[] = [];
  for (let start = 0; start < entries.length; start += size) {
    claimed.push(...(await claimSome(entries.slice(start, start + size), [steps.check], steps)));
  }
  return claimed;
}

/**
 * Claims entries in one transaction with other items. Entries that have changed are read again.
 *
 * @throws ConditionFailed when the first of the other items fails
 */
async function claimSome<E extends StoredEntry>(
  entries: readonly E[],
  others: readonly TransactItem[],
  holder: Holder<E>,
): Promise<readonly E[]> {
  const ids = entries.map(({ id }) => id);
  for (let wanted = entries; ; wanted = await holder.readAgain(ids)) {
    try {
      await transact([...others, ...wanted.flatMap((entry) => entryClaim(entry, holder))]);
      return wanted;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || error.failedAt(0)) throw error;
    }
  }
}
