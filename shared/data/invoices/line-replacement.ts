import { clientCheck, requireClient } from '#shared/data/clients/clients.ts';
import { checkDemand } from '#shared/data/dynamo/demands.ts';
import { ConditionFailed, type TransactItem, transact } from '#shared/data/dynamo/transaction.ts';
import { usageIncreases } from '#shared/data/products/products.ts';
import { claimInSteps, claimThenCommit, MAX_TRANSACTION_ITEMS } from '#shared/data/tracker/claim-time.ts';
import { waitWhileClaimed } from '#shared/data/tracker/claim-wait.ts';
import { claimCheck, claimEnds, claimedEntriesPut, claimPut } from '#shared/data/tracker/claims.ts';
import { readEntries } from '#shared/data/tracker/entries.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { assertDraft, type Invoice, type LineItem } from '#shared/domain/invoices/invoice.ts';
import { invoiceTooLarge } from '#shared/domain/invoices/invoice-size.ts';
import { copiedProductIds, type LineDraft, type LineSources, lineItemsOf } from '#shared/domain/invoices/line-item.ts';
import { readUnbilled, type StoredBillable } from './billable-entries.ts';
import { headReplacement, replacement, type StoredInvoice } from './invoice-items.ts';
import { type Released, readInvoice } from './invoices.ts';
import { readLineSources, readProjectNames } from './line-sources.ts';

/**
 * Replaces a draft's lines. Entries that come are claimed first, as those of a new invoice (`claim-time.ts`), and the
 * transaction that writes the lines makes their claim count.
 *
 * A claim lets go of all its entries at once. So if entries go, those that stay first move to another claim of the
 * invoice, in as many transactions as they need. The same transaction that writes the lines ends the old claims. A
 * request that dies before it leaves the invoice as it was, with one more claim. If several requests have died, the
 * next one first joins what their claims hold.
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
    if (current !== invoice) await checkDemand(invoice, current);
    assertDraft(current);
    try {
      const replaced = await tryReplace(await withFewClaims(current, wanted), wanted);
      if (replaced) return replaced;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
    await waitWhileClaimed(current, wanted.remainingMilliseconds);
  }
}

/** Each claim takes two items of the transaction that ends it. */
const MAX_CLAIMS = 4;

/**
 * Ends claims that earlier requests have left, before they are too many for one transaction. Their entries move to the
 * last of these claims, and not to a new one. So a request that dies here adds no claim, and the next one goes on from
 * there. The lines stay the same, so nobody sees any of this.
 *
 * @throws ConditionFailed when the invoice has changed or ended
 */
async function withFewClaims(current: StoredInvoice, wanted: LineReplacement): Promise<StoredInvoice> {
  const { organizationId, claimIds, lineItems } = current;
  const claimId = claimIds.at(-1);
  if (claimId === undefined || claimIds.length <= MAX_CLAIMS) return current;
  const entries = await readEntries(
    organizationId,
    lineItems.flatMap(({ entryIds }) => entryIds),
  );
  // The new version stops a request that is about to end one of the claims.
  const joining = { ...current, version: current.version + 1 };
  await transact([headReplacement(current, current), await claimedEntriesPut(organizationId, claimId, entries)]);
  await move(entries, claimId, current, wanted);
  const joined = { ...joining, version: joining.version + 1, claimIds: [claimId] };
  await transact([
    headReplacement(joining, joining, joined.claimIds),
    ...claimEnds(organizationId, claimIds.slice(0, -1), wanted.now),
  ]);
  return joined;
}

/**
 * Gives entries of an invoice to another of its claims.
 *
 * @throws ConditionFailed when the claim has ended, and with it the invoice or its lines
 */
async function move(
  entries: readonly StoredEntry[],
  claimId: string,
  invoice: StoredInvoice,
  { maxTransactionItems = MAX_TRANSACTION_ITEMS }: LineReplacement,
): Promise<void> {
  const { organizationId, id: invoiceId } = invoice;
  const isElsewhere = (entry: StoredEntry) => isBilled(invoice, entry) && entry.claimId !== claimId;
  await claimInSteps(entries.filter(isElsewhere), {
    invoiceId,
    claimId,
    check: claimCheck(organizationId, claimId),
    readAgain: async (ids) => (await readEntries(organizationId, ids)).filter(isElsewhere),
    maxTransactionItems,
  });
}

/** Whether an entry is on the invoice already, as far as the claims have been read. */
function isBilled({ claimIds }: StoredInvoice, { claimId }: StoredEntry): boolean {
  return claimId !== null && claimIds.includes(claimId);
}

/** New lines, and the entries that they bill. */
interface Plan {
  readonly current: StoredInvoice;
  readonly staying: readonly StoredBillable[];
  readonly coming: readonly StoredBillable[];
  /** Whether the invoice bills entries that are on none of the new lines. */
  readonly letsGo: boolean;
  /** The invoice with its new lines. @param entries all that they bill, as they were claimed */
  readonly changed: (entries: readonly StoredBillable[]) => Invoice;
  readonly usage: readonly TransactItem[];
}

async function planLines(current: StoredInvoice, wanted: LineReplacement): Promise<Plan> {
  const { drafts, revise, newId, remainingMilliseconds } = wanted;
  const { organizationId, clientId, currency } = current;
  const productIds = new Set(current.lineItems.flatMap(({ productId }) => productId ?? []));
  const own = { invoiceId: current.id, productIds, remainingMilliseconds };
  const sources = await readLineSources(organizationId, { clientId, currency }, drafts, own);
  const entries = [...sources.entries.values()];
  const { staying = [], coming = [] } = Object.groupBy(entries, (entry) =>
    isBilled(current, entry) ? 'staying' : 'coming',
  );
  // Entries may still have the link to a client that was just deleted. Without this check they would be tried for ever.
  if (coming.length > 0) await requireClient(organizationId, clientId);
  const projectNames = await readProjectNames(organizationId, entries);
  const lineSources: LineSources = { ...sources, projectNames, newId };
  return {
    current,
    staying,
    coming,
    letsGo: staying.length < current.lineItems.reduce((sum, { entryIds }) => sum + entryIds.length, 0),
    changed: (claimed) => revise(current, lineItemsOf(drafts, { ...lineSources, entries: byId(claimed) })),
    usage: usageIncreases(organizationId, copiedProductIds(drafts, productIds)),
  };
}

function byId(entries: readonly StoredBillable[]): Map<string, StoredBillable> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}

/**
 * @returns undefined when another request is claiming the client's time
 * @throws ConditionFailed when something else has changed meanwhile: the caller tries again
 */
async function tryReplace(current: StoredInvoice, wanted: LineReplacement): Promise<Released<Invoice> | undefined> {
  const { organizationId, id: invoiceId, clientId } = current;
  const { newId, now, maxTransactionItems = MAX_TRANSACTION_ITEMS } = wanted;
  const plan = await planLines(current, wanted);
  const { staying, coming, letsGo, changed, usage } = plan;
  const claimId = newId();
  const ended = letsGo ? current.claimIds : [];
  const lineWrites = async (before: StoredInvoice, after: Invoice, claimIds: readonly string[]) => [
    ...(await replacement(before, after, claimIds, newId())),
    ...usage,
    ...(coming.length > 0 ? [clientCheck(organizationId, clientId)] : []),
    ...claimEnds(organizationId, ended, now),
  ];
  // What is too large is refused before anything is claimed.
  const planned = await lineWrites(current, changed([...staying, ...coming]), []);
  if (planned.length + ITEMS_OF_CLAIMING > MAX_TRANSACTION_ITEMS) {
    throw invoiceTooLarge('It would change too many lines and products at once.');
  }
  const claim = { organizationId, clientId, invoiceId, claimId, entries: coming, maxTransactionItems };
  const readAgain = async (ids: readonly string[]) => {
    const present = await readUnbilled(organizationId, ids, current);
    if (present.length < ids.length) throw new ConditionFailed([]);
    return present;
  };
  return claimThenCommit({ ...claim, readAgain }, async (claimed, claimWrites) => {
    const before = letsGo ? await moveStaying(plan, wanted) : current;
    const kept = before.claimIds.filter((id) => !ended.includes(id));
    const claimIds = claimed.length > 0 ? [...kept, claimId] : kept;
    const after = changed([...staying, ...claimed]);
    await transact([...(await lineWrites(before, after, claimIds)), ...claimWrites]);
    return { outcome: after, claimIds: ended };
  });
}

/** The claim that comes, and the end of the record. */
const ITEMS_OF_CLAIMING = 2;

/**
 * Gives the entries that stay to a new claim of the invoice.
 *
 * @throws ConditionFailed when the invoice has changed or ended
 */
async function moveStaying({ current, staying }: Plan, wanted: LineReplacement): Promise<StoredInvoice> {
  if (staying.length === 0) return current;
  const { organizationId } = current;
  const claimId = wanted.newId();
  const claimIds = [...current.claimIds, claimId];
  await transact([
    headReplacement(current, current, claimIds),
    claimPut(organizationId, claimId),
    await claimedEntriesPut(organizationId, claimId, staying),
  ]);
  await move(staying, claimId, current, wanted);
  return { ...current, claimIds, version: current.version + 1 };
}
