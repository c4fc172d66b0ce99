import { ConditionFailed, transact } from '#shared/data/dynamo/transaction.ts';
import type { ClaimState } from '#shared/domain/tracker/entry.ts';
import { claimCheck, entryClaim, ITEMS_OF_ENTRY } from './claims.ts';
import type { StoredEntry } from './entry-items.ts';

/** Gives a claim more entries than one transaction holds. */

/** DynamoDB's own limit. */
export const MAX_TRANSACTION_ITEMS = 100;

interface Steps<E> {
  readonly organizationId: string;
  readonly invoiceId: string;
  readonly claimId: string;
  /** The state that the claim must have while it takes entries. */
  readonly state: ClaimState;
  /**
   * Reads entries again, because at least one of them has changed. Reads no other entries. What it leaves out is not
   * claimed.
   */
  readonly readAgain: (ids: readonly string[]) => Promise<readonly E[]>;
  readonly maxTransactionItems: number;
}

/** @returns the entries as they were claimed @throws ConditionFailed when the claim has ended */
export async function claimInSteps<E extends StoredEntry>(entries: readonly E[], steps: Steps<E>): Promise<E[]> {
  const size = Math.floor((steps.maxTransactionItems - 1) / ITEMS_OF_ENTRY);
  const claimed: E[] = [];
  for (let start = 0; start < entries.length; start += size) {
    claimed.push(...(await claimSome(entries.slice(start, start + size), steps)));
  }
  return claimed;
}

async function claimSome<E extends StoredEntry>(entries: readonly E[], steps: Steps<E>): Promise<readonly E[]> {
  const { organizationId, claimId, state, readAgain } = steps;
  const check = claimCheck(organizationId, claimId, state);
  const ids = entries.map(({ id }) => id);
  let wanted = entries;
  while (wanted.length > 0) {
    try {
      await transact([check, ...wanted.flatMap((entry) => entryClaim(entry, steps))]);
      break;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || error.failedAt(0)) throw error;
    }
    wanted = await readAgain(ids);
  }
  return wanted;
}
