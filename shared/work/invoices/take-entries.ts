import { acquireBilling, type BillingLock, billingCheck } from '#shared/data/holds/billing.ts';
import { checkUnits, holdChecks } from '#shared/data/holds/holds.ts';
import { ConditionFailed, ITEMS_PER_TRANSACTION, type TransactItem, transact } from '#shared/data/table/transaction.ts';
import { entryTaking, ITEMS_OF_TAKING, takingUnits } from '#shared/data/tracker/entry-items.ts';
import { assertBilledInTime } from '#shared/domain/invoices/billing-time.ts';
import { spread } from '#shared/domain/spread.ts';
import { invoiceOf } from '#shared/domain/tracker/hold.ts';
import { readUnbilled, type StoredBillable, type Unbilled } from './unbilled-time.ts';

/** One is spare, so that the transaction which ends the work can write something beside. */
const MAX_TRANSACTION_ITEMS = ITEMS_PER_TRANSACTION - 1;

/**
 * @param ownHoldId of the invoice, if it has one
 * @throws Problem `billing_too_large`
 */
export function assertTakenInTime(
  organizationId: string,
  { entries, holds }: Unbilled,
  ownHoldId: string | null = null,
): void {
  const transactions = Math.ceil((entries.length * ITEMS_OF_TAKING) / MAX_TRANSACTION_ITEMS);
  const byHold = Map.groupBy(entries, ({ holdId }) => holdId);
  // The hold of an invoice of which much was credited is large, and most transactions may name it.
  const checked = [...holds.values()]
    .filter(({ id }) => id !== ownHoldId)
    .map((hold) => checkUnits(organizationId, hold) * Math.min(transactions, byHold.get(hold.id)?.length ?? 0));
  assertBilledInTime(entries.map(takingUnits), checked);
}

interface Taking {
  readonly billing: BillingLock;
  readonly currency: string;
  /** Items of the first transaction: the conditions that the billing relies on, and its first write. */
  readonly beside?: readonly TransactItem[];
  /** Whether an entry that has changed meanwhile, and still is unbilled, is to be billed. */
  readonly isWanted?: (entry: StoredBillable) => boolean;
  readonly maxTransactionItems?: number;
}

/**
 * Gives free entries to the hold of a billing, in as many transactions as they need. Nobody sees any of this before the
 * transaction that ends the billing: the hold is still to come, or excepts these entries.
 *
 * Each transaction depends on its entries and on the holds that they name. If one has changed, the entries are read
 * again, and those that can no longer be billed are left out.
 *
 * @returns in the given order: the given objects, or those that were read again
 * @throws ConditionFailed when another request is billing, this billing was given up, or something beside has changed
 */
export async function takeEntries(
  { entries, holds }: Unbilled,
  { billing, currency, beside = [], isWanted = () => true, maxTransactionItems = MAX_TRANSACTION_ITEMS }: Taking,
): Promise<readonly StoredBillable[]> {
  const { organizationId, clientId, holdId } = billing;
  const taken: StoredBillable[] = [];
  const known = new Map(holds);
  // An entry that was read before its hold came to be looks free. It is left out once the hold is known.
  const free = (some: readonly StoredBillable[]) => some.filter((entry) => invoiceOf(entry, known) === null);
  // A day takes fewer writes in a second than the table.
  let left = spread(free(entries), ({ entryDate }) => entryDate);
  while (left.length > 0) {
    const others = taken.length === 0 ? [acquireBilling(billing), ...beside] : [billingCheck(billing)];
    const step = stepOf(left, holdId, maxTransactionItems - others.length);
    const ofOtherHolds = step.filter((entry) => entry.holdId !== holdId);
    // An entry that names this hold already needs a new version too, which tells others that it is not free.
    const takings = step.flatMap((entry) => entryTaking(entry, holdId));
    try {
      await transact([...others, ...holdChecks(organizationId, ofOtherHolds, known), ...takings]);
      taken.push(...step);
      left = left.slice(step.length);
    } catch (error) {
      if (!(error instanceof ConditionFailed) || error.positions.some((at) => at < others.length)) throw error;
      const ids = step.map(({ id }) => id);
      const present = await readUnbilled(organizationId, ids, { clientId, currency });
      for (const entry of step) known.delete(entry.holdId ?? '');
      for (const [id, hold] of present.holds) known.set(id, hold);
      left = free([...present.entries.filter(isWanted), ...left.slice(step.length)]);
    }
  }
  const byId = new Map(taken.map((entry) => [entry.id, entry]));
  return entries.flatMap(({ id }) => byId.get(id) ?? []);
}

/** As many entries as one transaction has room for, with a check for each hold that they name. */
function stepOf(entries: readonly StoredBillable[], ownHoldId: string, room: number): readonly StoredBillable[] {
  // No check is made for no hold, nor for the own one.
  const countedHolds = new Set<string | null>([null, ownHoldId]);
  let items = 0;
  const end = entries.findIndex(({ holdId }) => {
    items += ITEMS_OF_TAKING + (countedHolds.has(holdId) ? 0 : 1);
    countedHolds.add(holdId);
    return items > room;
  });
  return end === -1 ? entries : entries.slice(0, end);
}
