import { clientCheck, requireClient } from '#shared/data/clients/clients.ts';
import { ConditionFailed, type TransactItem, transact } from '#shared/data/dynamo/transaction.ts';
import { usageIncreases } from '#shared/data/products/products.ts';
import { claimInSteps, MAX_TRANSACTION_ITEMS } from '#shared/data/tracker/claim-steps.ts';
import {
  abandonClaiming,
  beginClaiming,
  type Claiming,
  claimingEnd,
  unclaimedCheck,
  waitWhileClaimed,
} from '#shared/data/tracker/claiming.ts';
import {
  claimCheck,
  claimCompletion,
  claimEnds,
  claimedEntriesPut,
  claimPut,
  entryClaim,
  ITEMS_OF_ENTRY,
} from '#shared/data/tracker/claims.ts';
import { readEntries } from '#shared/data/tracker/entries.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { assertDraft, type Invoice, type LineItem } from '#shared/domain/invoices/invoice.ts';
import { copiedProductIds, type LineDraft, lineItemsOf } from '#shared/domain/invoices/line-item.ts';
import { readUnbilled, type StoredBillable } from './billable-entries.ts';
import { headReplacement, invoiceTooLarge, replacement, type StoredInvoice } from './invoice-items.ts';
import { type Released, readInvoice } from './invoices.ts';
import { readLineSources, readProjectNames } from './line-sources.ts';

/**
 * Replaces a draft's lines.
 *
 * If the new lines bill other entries, the entries that stay and those that come move to a new claim. The last
 * transaction ends the old claim: entries that are on no line any more are free at that moment, however many they are.
 *
 * Entries that stay may move earlier, in as many transactions as they need, since both claims belong to the invoice. If
 * a request dies in between, the invoice stays as it was, with one more claim. If several requests have died, the next
 * one first joins what their claims hold.
 *
 * If too many entries come for the last transaction, they are claimed earlier, under a pending claim of their own, like
 * those of a new invoice.
 */

export interface LineReplacement {
  readonly drafts: readonly LineDraft[];
  /** Makes the changed invoice from the present invoice and its new lines. */
  readonly revise: (current: Invoice, lineItems: readonly LineItem[]) => Invoice;
  readonly newId: () => string;
  readonly now: Date;
  /** What the request has left, which bounds how long it waits for others. */
  readonly remainingMilliseconds: () => number;
  readonly maxTransactionItems?: number;
}

/**
 * @throws Problem `not_found` when the invoice was deleted meanwhile, `invoice_state_forbids`, `invoicing_in_progress`,
 * and every problem of new lines
 */
export async function replaceLines(invoice: StoredInvoice, wanted: LineReplacement): Promise<Released<Invoice>> {
  for (let current = invoice; ; current = await readInvoice(invoice.organizationId, invoice.id)) {
    assertDraft(current);
    try {
      return await tryReplace(await withFewClaims(current, wanted), wanted);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
    await waitWhileClaimed(current, wanted.remainingMilliseconds);
  }
}

/**
 * An invoice has at most two claims unless requests die. Each claim takes two items of the transaction that ends it.
 */
const MAX_CLAIMS = 4;

/**
 * Ends claims that dead requests have left, before they are too many for one transaction. Their entries move to the
 * last of these claims, and not to a new one. So a request that dies here adds no claim, and the next one goes on from
 * there. The lines stay the same, so nobody sees any of this.
 *
 * @throws ConditionFailed when the invoice has changed or ended
 */
async function withFewClaims(current: StoredInvoice, wanted: LineReplacement): Promise<StoredInvoice> {
  const { organizationId, id: invoiceId, claimIds, lineItems } = current;
  const claimId = claimIds.at(-1);
  if (claimId === undefined || claimIds.length <= MAX_CLAIMS) return current;
  const entryIds = lineItems.flatMap((line) => line.entryIds);
  // The new version stops a request that is about to end one of the claims.
  const joining = { ...current, version: current.version + 1 };
  await transact([headReplacement(current, current), await claimedEntriesPut(organizationId, claimId, entryIds)]);
  const readAgain = async (ids: readonly string[]) =>
    (await readEntries(organizationId, ids)).filter((entry) => isBilled(current, entry) && entry.claimId !== claimId);
  const { maxTransactionItems = MAX_TRANSACTION_ITEMS, now } = wanted;
  const elsewhere = await readAgain(entryIds);
  await claimInSteps(elsewhere, { organizationId, invoiceId, claimId, state: 'live', readAgain, maxTransactionItems });
  const joined = { ...joining, version: joining.version + 1, claimIds: [claimId] };
  await transact([
    headReplacement(joining, joining, joined.claimIds),
    ...claimEnds(organizationId, claimIds.slice(0, -1), now),
  ]);
  return joined;
}

/** New lines, and the entries that they bill. */
interface Plan {
  readonly current: StoredInvoice;
  readonly changed: Invoice;
  readonly entries: readonly StoredBillable[];
  readonly usage: readonly TransactItem[];
}

async function planLines(current: StoredInvoice, wanted: LineReplacement): Promise<Plan> {
  const { drafts, revise, newId, remainingMilliseconds } = wanted;
  const { organizationId, clientId, currency } = current;
  const productIds = new Set(current.lineItems.flatMap(({ productId }) => productId ?? []));
  const own = { invoiceId: current.id, productIds, remainingMilliseconds };
  const sources = await readLineSources(organizationId, { clientId, currency }, drafts, own);
  const entries = [...sources.entries.values()];
  // Entries may still have the link to a client that was just deleted. Without this check they would be tried for ever.
  if (entries.some((entry) => !isBilled(current, entry))) await requireClient(organizationId, clientId);
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

/** Whether an entry is on the invoice already, as far as the claims have been read. */
function isBilled({ claimIds }: StoredInvoice, { claimId }: StoredEntry): boolean {
  return claimId !== null && claimIds.includes(claimId);
}

/** @throws ConditionFailed when something has changed meanwhile: the caller tries again */
async function tryReplace(current: StoredInvoice, wanted: LineReplacement): Promise<Released<Invoice>> {
  const plan = await planLines(current, wanted);
  const { changed, entries, usage } = plan;
  const { maxTransactionItems = MAX_TRANSACTION_ITEMS, newId } = wanted;
  if (billsTheSame(plan)) {
    await transact([...(await replacement(current, changed, current.claimIds, newId())), ...usage]);
    return { outcome: changed, claimIds: [] };
  }
  const claimId = newId();
  const claimIds = entries.length === 0 ? [] : [claimId];
  const writes = [
    ...(await finalWrites(plan, { before: current, claimIds, unclaimed: entries }, wanted)),
    ...(entries.length === 0 ? [] : await newClaim(current.organizationId, claimId, entries)),
  ];
  if (writes.length > maxTransactionItems) return replaceInSteps(plan, wanted);
  await transact(writes);
  return { outcome: changed, claimIds: current.claimIds };
}

async function newClaim(
  organizationId: string,
  claimId: string,
  entries: readonly StoredBillable[],
): Promise<TransactItem[]> {
  const ids = entries.map(({ id }) => id);
  return [claimPut(organizationId, claimId), await claimedEntriesPut(organizationId, claimId, ids)];
}

interface Ending {
  /** The invoice that is overwritten. */
  readonly before: StoredInvoice;
  /** The claims by which the invoice holds its entries from then on. */
  readonly claimIds: readonly string[];
  /** The entries that the first of these claims does not have yet. */
  readonly unclaimed: readonly StoredBillable[];
  /** The pending claim of entries that come, if there is one. It is the last of these claims. */
  readonly claiming?: Claiming;
}

/** The transaction that gives the invoice its new lines. */
async function finalWrites(
  { current, changed, usage }: Plan,
  { before, claimIds, unclaimed, claiming }: Ending,
  { newId, now }: LineReplacement,
): Promise<TransactItem[]> {
  const { organizationId, id: invoiceId, clientId } = current;
  const [claimId = ''] = claimIds;
  const isNewTime = unclaimed.some((entry) => !isBilled(current, entry));
  return [
    ...(await replacement(before, changed, claimIds, newId())),
    ...usage,
    ...(isNewTime ? [unclaimedCheck(current)] : []),
    ...(isNewTime || claiming ? [clientCheck(organizationId, clientId)] : []),
    ...unclaimed.flatMap((entry) => entryClaim(entry, { invoiceId, claimId })),
    ...(claiming ? [claimCompletion(organizationId, claiming.claimId), claimingEnd(claiming)] : []),
    ...claimEnds(organizationId, current.claimIds, now),
  ];
}

async function replaceInSteps(plan: Plan, wanted: LineReplacement): Promise<Released<Invoice>> {
  const { current, changed, entries } = plan;
  const { maxTransactionItems = MAX_TRANSACTION_ITEMS, newId } = wanted;
  const claimId = newId();
  const { staying, coming } = partsOf(plan);
  const before = between(current, claimId);
  const last = await finalWrites(plan, { before, claimIds: [claimId], unclaimed: coming }, wanted);
  if (last.length > maxTransactionItems) {
    const others = last.length - coming.length * ITEMS_OF_ENTRY + ITEMS_OF_CLAIMING;
    if (others > MAX_TRANSACTION_ITEMS) throw invoiceTooLarge('It would change too many lines and products at once.');
    return growInSteps(plan, wanted);
  }
  await moveStaying(current, claimId, { staying, claimed: entries }, wanted);
  await transact(last);
  return { outcome: changed, claimIds: current.claimIds };
}

function partsOf({ current, entries }: Plan) {
  return {
    staying: entries.filter((entry) => isBilled(current, entry)),
    coming: entries.filter((entry) => !isBilled(current, entry)),
  };
}

/** What the last transaction holds for a pending claim, instead of its entries. */
const ITEMS_OF_CLAIMING = 2;

/** The invoice while entries move to a new claim. */
function between(current: StoredInvoice, claimId: string): StoredInvoice {
  return { ...current, claimIds: [...current.claimIds, claimId], version: current.version + 1 };
}

interface Moving {
  readonly staying: readonly StoredEntry[];
  /** All entries that the new claim is for. */
  readonly claimed: readonly StoredBillable[];
}

/**
 * Gives the entries that stay to a new claim.
 *
 * @throws ConditionFailed when the invoice has changed or ended, and with it the claim
 */
async function moveStaying(
  current: StoredInvoice,
  claimId: string,
  { staying, claimed }: Moving,
  { maxTransactionItems = MAX_TRANSACTION_ITEMS }: LineReplacement,
): Promise<void> {
  const { organizationId, id: invoiceId } = current;
  await transact([
    headReplacement(current, current, between(current, claimId).claimIds),
    ...(await newClaim(organizationId, claimId, claimed)),
  ]);
  const readAgain = async (ids: readonly string[]) =>
    (await readEntries(organizationId, ids)).filter((entry) => isBilled(current, entry));
  await claimInSteps(staying, { organizationId, invoiceId, claimId, state: 'live', readAgain, maxTransactionItems });
}

/**
 * Claims the entries that come, before those that stay move. The lines are made from the claimed entries.
 *
 * @throws ConditionFailed
 */
async function growInSteps(plan: Plan, wanted: LineReplacement): Promise<Released<Invoice>> {
  const { organizationId, clientId, id: invoiceId } = plan.current;
  const { maxTransactionItems = MAX_TRANSACTION_ITEMS, newId } = wanted;
  const { coming } = partsOf(plan);
  const claiming = await beginClaiming({ organizationId, clientId, claimId: newId() });
  if (!claiming) throw new ConditionFailed([]);
  const { claimId } = claiming;
  try {
    const ids = coming.map(({ id }) => id);
    await transact([
      claimCheck(organizationId, claimId, 'pending'),
      await claimedEntriesPut(organizationId, claimId, ids),
    ]);
    const readAgain = async (changed: readonly string[]) => {
      const present = await readUnbilled(organizationId, changed, plan.current);
      if (present.length < changed.length) throw new ConditionFailed([]);
      return present;
    };
    await claimInSteps(coming, {
      organizationId,
      invoiceId,
      claimId,
      state: 'pending',
      readAgain,
      maxTransactionItems,
    });
    return await replaceClaimed(await planLines(plan.current, wanted), claiming, wanted);
  } catch (error) {
    // If this fails too, the next request for the client gives up the claim, or the schedule does.
    await abandonClaiming(claiming, new Date()).catch(() => false);
    throw error;
  }
}

/** @param plan only of entries that are on the invoice already, or claimed for it */
async function replaceClaimed(plan: Plan, claiming: Claiming, wanted: LineReplacement): Promise<Released<Invoice>> {
  const { current, changed } = plan;
  const { staying } = partsOf(plan);
  const outcome = { outcome: changed, claimIds: current.claimIds };
  if (staying.length === 0) {
    await transact(
      await finalWrites(plan, { before: current, claimIds: [claiming.claimId], unclaimed: [], claiming }, wanted),
    );
    return outcome;
  }
  const claimId = wanted.newId();
  await moveStaying(current, claimId, { staying, claimed: staying }, wanted);
  const ending = { before: between(current, claimId), claimIds: [claimId, claiming.claimId], unclaimed: [], claiming };
  await transact(await finalWrites(plan, ending, wanted));
  return outcome;
}
