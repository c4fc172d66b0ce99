import { assertDraft, type Invoice, type LineItem } from '#shared/domain/invoice.ts';
import { copiedProductIds, type LineDraft, lineItemsOf } from '#shared/domain/line-item.ts';
import { readEntries, type StoredBillable } from './billable-entries.ts';
import { unclaimedCheck, waitWhileClaimed } from './claiming.ts';
import { claimCheck, claimEnds, claimedEntriesPut, claimPut, entryClaim } from './claims.ts';
import { existenceCheck, type StoredEntry } from './entries.ts';
import { headReplacement, invoiceTooLarge, replacement, type StoredInvoice } from './invoice-items.ts';
import { getInvoice, type Released } from './invoices.ts';
import { MAX_TRANSACTION_ITEMS } from './invoicing.ts';
import { readLineSources, readProjectNames } from './line-sources.ts';
import { usageIncreases } from './products.ts';
import { clientKey } from './table.ts';
import { ConditionFailed, type TransactItem, transact, tryTransact } from './transaction.ts';

/**
 * Other lines for a draft. Where they bill other entries than before, the ones that stay and those that come go to a new claim, and the old one ends with
 * the last transaction: so the entries that are on no line any more are free at that moment, however many there are. Entries that stay may move before it,
 * in as many transactions as they need, since both claims are the invoice's; a request that dies in between leaves the invoice as it was, with two claims.
 */

export interface LineReplacement {
  readonly drafts: readonly LineDraft[];
  /** Makes the changed invoice of the present one and its new lines. */
  readonly revise: (current: Invoice, lineItems: readonly LineItem[]) => Invoice;
  readonly newId: () => string;
  readonly now: Date;
  readonly maxTransactionItems?: number;
}

/** @throws Problem `not_found` when it was deleted meanwhile, `invoice_state_forbids`, and all that new lines can be refused for */
export async function replaceLines(invoice: StoredInvoice, wanted: LineReplacement): Promise<Released<Invoice>> {
  for (let current = invoice; ; current = await getInvoice(invoice.organizationId, invoice.id)) {
    assertDraft(current);
    const replaced = await tryReplace(current, wanted);
    if (replaced) return replaced;
    await waitWhileClaimed(current);
  }
}

/** New lines, and the entries that they bill. */
interface Plan {
  readonly current: StoredInvoice;
  readonly changed: Invoice;
  readonly entries: readonly StoredBillable[];
  readonly usage: readonly TransactItem[];
}

async function planLines(current: StoredInvoice, { drafts, revise, newId }: LineReplacement): Promise<Plan> {
  const { organizationId, clientId, currency } = current;
  const productIds = new Set(current.lineItems.flatMap(({ productId }) => productId ?? []));
  const own = { invoiceId: current.id, productIds };
  const sources = await readLineSources(organizationId, { clientId, currency }, drafts, own);
  const entries = [...sources.entries.values()];
  const projectNames = await readProjectNames(organizationId, entries);
  return {
    current,
    changed: revise(current, lineItemsOf(drafts, { ...sources, projectNames, newId })),
    entries,
    usage: usageIncreases(organizationId, copiedProductIds(drafts, productIds)),
  };
}

function billsTheSame({ current, entries }: Plan): boolean {
  const billed = current.lineItems.flatMap(({ entryIds }) => entryIds);
  return billed.length === entries.length && entries.every((entry) => isBilled(current, entry));
}

/** Whether an entry is on the invoice already, as far as that has been read. */
function isBilled({ claimIds }: StoredInvoice, { claimId }: StoredEntry): boolean {
  return claimId !== null && claimIds.includes(claimId);
}

/** @returns undefined when something has changed meanwhile, so that it has to be tried again */
async function tryReplace(current: StoredInvoice, wanted: LineReplacement): Promise<Released<Invoice> | undefined> {
  const plan = await planLines(current, wanted);
  const { changed, entries, usage } = plan;
  const { maxTransactionItems = MAX_TRANSACTION_ITEMS, newId } = wanted;
  if (billsTheSame(plan)) {
    const writes = [...(await replacement(current, changed, current.claimIds, newId())), ...usage];
    return (await tryTransact(writes)) ? { outcome: changed, claimIds: [] } : undefined;
  }
  const claimId = newId();
  const writes = [
    ...(await finalWrites(plan, claimId, current, entries, wanted)),
    ...(entries.length === 0 ? [] : await newClaim(current.organizationId, claimId, entries)),
  ];
  const isDone = writes.length > maxTransactionItems ? replaceInSteps(plan, claimId, wanted) : tryTransact(writes);
  return (await isDone) ? { outcome: changed, claimIds: current.claimIds } : undefined;
}

async function newClaim(
  organizationId: string,
  claimId: string,
  entries: readonly StoredBillable[],
): Promise<TransactItem[]> {
  const ids = entries.map(({ id }) => id);
  return [claimPut(organizationId, claimId, 'live'), await claimedEntriesPut(organizationId, claimId, ids)];
}

/** @param before the invoice that is written over @param unclaimed the entries that the new claim does not have yet */
async function finalWrites(
  { current, changed, entries, usage }: Plan,
  claimId: string,
  before: StoredInvoice,
  unclaimed: readonly StoredBillable[],
  { newId, now }: LineReplacement,
): Promise<TransactItem[]> {
  const { organizationId, id: invoiceId, clientId } = current;
  const isNewTime = unclaimed.some((entry) => !isBilled(current, entry));
  return [
    ...(await replacement(before, changed, entries.length === 0 ? [] : [claimId], newId())),
    ...usage,
    ...(isNewTime ? [unclaimedCheck(current), existenceCheck(clientKey(organizationId, clientId))] : []),
    ...unclaimed.map((entry) => entryClaim(entry, { invoiceId, claimId })),
    ...claimEnds(organizationId, current.claimIds, now),
  ];
}

/** Entries that stay go over to the new claim first. @returns false when something has changed meanwhile */
async function replaceInSteps(plan: Plan, claimId: string, wanted: LineReplacement): Promise<boolean> {
  const { current, entries } = plan;
  const { maxTransactionItems = MAX_TRANSACTION_ITEMS } = wanted;
  const claimIds = [...current.claimIds, claimId];
  const staying = entries.filter((entry) => isBilled(current, entry));
  const coming = entries.filter((entry) => !isBilled(current, entry));
  const between = { ...current, claimIds, version: current.version + 1 };
  const last = await finalWrites(plan, claimId, between, coming, wanted);
  if (last.length > maxTransactionItems) throw invoiceTooLarge('A change can add only some 80 entries at once.');
  const first = [
    headReplacement(current, current, claimIds),
    ...(await newClaim(current.organizationId, claimId, entries)),
  ];
  if (!(await tryTransact(first))) return false;
  for (let start = 0; start < staying.length; start += maxTransactionItems - 1) {
    const some = staying.slice(start, start + maxTransactionItems - 1);
    if (!(await moveEntries(current, claimId, some))) return false;
  }
  return tryTransact(last);
}

/** @returns false when the new claim has ended, and with it the invoice */
async function moveEntries(invoice: StoredInvoice, claimId: string, entries: readonly StoredEntry[]): Promise<boolean> {
  const { organizationId, id: invoiceId } = invoice;
  const check = claimCheck(organizationId, claimId, 'live');
  let pending = entries;
  while (pending.length > 0) {
    try {
      await transact([check, ...pending.map((entry) => entryClaim(entry, { invoiceId, claimId }))]);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.failedAt(0)) return false;
    }
    const ids = entries.map(({ id }) => id);
    pending = (await readEntries(organizationId, ids)).filter((entry) => isBilled(invoice, entry));
  }
  return true;
}
