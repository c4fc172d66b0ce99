import { clientCheck, requireClient } from '#shared/data/clients/clients.ts';
import { giveUpBilling, newBilling, releaseBilling, waitWhileBilled } from '#shared/data/holds/billing.ts';
import {
  holdCheck,
  holdEnd,
  holdPut,
  holdReplacement,
  type StoredHold,
  type StoredHolds,
} from '#shared/data/holds/holds.ts';
import { headCheck, replacement, type StoredInvoice } from '#shared/data/invoices/invoice-items.ts';
import { usageIncreases } from '#shared/data/products/products.ts';
import { ConditionFailed, Outdated, transact, type Write } from '#shared/data/table/transaction.ts';
import { newVersion } from '#shared/data/table/versioned.ts';
import type { Invoice, InvoiceChanges } from '#shared/domain/invoices/invoice.ts';
import { redraftInvoice } from '#shared/domain/invoices/invoice-draft.ts';
import { invoiceTooLarge } from '#shared/domain/invoices/invoice-size.ts';
import { areAlike, copiedProductIds, type LineDraft, lineItemsOf } from '#shared/domain/invoices/line-item.ts';
import { assertLegal } from '#shared/domain/invoices/steps.ts';
import { invoiceOf } from '#shared/domain/tracker/hold.ts';
import { readLineSources, readProjectNames } from './line-sources.ts';
import { assertTakenInTime, takeEntries } from './take-entries.ts';
import type { StoredBillable } from './unbilled-time.ts';

/**
 * The hold first excepts the entries that come, so that many transactions can give them to it. The transaction that
 * writes the lines ends these exceptions, and excepts the entries that go.
 */

export interface LineReplacement {
  readonly drafts: readonly LineDraft[];
  readonly changes: InvoiceChanges;
  readonly now: Date;
  readonly newId: () => string;
  readonly answer: (changed: Invoice) => Promise<readonly Write[]>;
  /** Bounds how long the request waits for others. */
  readonly remainingMilliseconds: () => number;
  readonly maxTransactionItems?: number;
}

/** @throws Problem `invoice_state_forbids`, `invoicing_in_progress`, and those of new lines; ConditionFailed */
export async function replaceLines(invoice: StoredInvoice, wanted: LineReplacement): Promise<Invoice> {
  assertLegal(invoice, 'change');
  try {
    const plan = await planLines(invoice, wanted);
    return plan.planned === invoice ? invoice : await writeLines(plan, wanted);
  } catch (error) {
    if (error instanceof ConditionFailed) await waitWhileBilled(invoice, wanted.remainingMilliseconds);
    throw error;
  }
}

interface Plan {
  readonly current: StoredInvoice;
  readonly staying: readonly StoredBillable[];
  readonly coming: readonly StoredBillable[];
  /** Billed by the invoice, and not by its new lines. */
  readonly leaving: readonly string[];
  readonly holds: StoredHolds;
  readonly planned: Invoice;
  /** @param entries all that the new lines bill, as they were taken */
  readonly changed: (entries: readonly StoredBillable[]) => Invoice;
  readonly usage: readonly Write[];
}

async function planLines(current: StoredInvoice, wanted: LineReplacement): Promise<Plan> {
  const { drafts, changes, now, newId } = wanted;
  const { organizationId, id: invoiceId, clientId, currency, holdId, lineItems } = current;
  const productIds = new Set(lineItems.flatMap(({ productId }) => productId ?? []));
  const copied = copiedProductIds(drafts, productIds);
  const own = { invoiceId, holdId, productIds };
  const sources = await readLineSources(organizationId, { clientId, currency }, drafts, own);
  const { holds } = sources;
  const entries = [...sources.entries.values()];
  const { staying = [], coming = [] } = Object.groupBy(entries, (entry) =>
    invoiceOf(entry, holds) === invoiceId ? 'staying' : 'coming',
  );
  assertTakenInTime(organizationId, { entries: coming, holds }, holdId);
  // Entries may still have the link to a client that was just deleted. They would be tried for ever.
  if (coming.length > 0) await requireClient(organizationId, clientId);
  const projectNames = await readProjectNames(organizationId, entries);
  const changed = (billed: readonly StoredBillable[]) => {
    const byId = new Map(billed.map((entry) => [entry.id, entry]));
    const made = lineItemsOf(drafts, { ...sources, entries: byId, projectNames, newId });
    // Another copy of a product counts, whatever it is like.
    const areKept = copied.length === 0 && areAlike(made, lineItems);
    return redraftInvoice(current, changes, areKept ? undefined : made, now);
  };
  const stays = new Set(staying.map(({ id }) => id));
  return {
    current,
    staying,
    coming,
    leaving: lineItems.flatMap(({ entryIds }) => entryIds).filter((id) => !stays.has(id)),
    holds,
    planned: changed(entries),
    changed,
    usage: usageIncreases(organizationId, copied),
  };
}

/** @throws ConditionFailed when something has changed that the lines rely on, or another request is billing */
async function writeLines(plan: Plan, { newId, answer, maxTransactionItems }: LineReplacement): Promise<Invoice> {
  const { current, staying, coming, planned, changed } = plan;
  const { organizationId, clientId, currency } = current;
  const before = ownHold(plan);
  const holdId = before?.id ?? newId();
  const isHeld = staying.length + coming.length > 0;
  const linesId = newId();
  const writesOf = async (after: Invoice): Promise<Write[]> => [
    ...(await replacement(current, after, isHeld ? holdId : null, linesId)),
    ...plan.usage,
    ...(coming.length > 0 ? [clientCheck(organizationId, clientId)] : []),
    ...(await answer(after)),
  ];
  // A change that is too large, or cannot be shown, is refused before anything is written.
  const plannedWrites = await writesOf(planned);
  if (coming.length === 0) {
    await transact([...plannedWrites, ...holdWrites(plan, before, holdId)]);
    return planned;
  }
  const billing = newBilling({ organizationId, clientId, id: newId(), holdId });
  const begun = before && withExceptions(before, new Set([...before.except, ...coming.map(({ id }) => id)]));
  try {
    const taken = await takeEntries(
      { entries: coming, holds: plan.holds },
      {
        billing,
        currency,
        beside: [headCheck(current), ...(before && begun ? [holdReplacement(organizationId, before, begun)] : [])],
        maxTransactionItems,
      },
    );
    if (taken.length < coming.length) throw new Outdated();
    const isAsPlanned = taken.every((entry, at) => entry === coming[at]);
    const after = isAsPlanned ? planned : changed([...staying, ...taken]);
    const writes = isAsPlanned ? plannedWrites : await writesOf(after);
    await transact([...writes, ...holdWrites(plan, begun, holdId), releaseBilling(billing)]);
    return after;
  } catch (error) {
    // If this fails too, the next request for the client gives the billing up.
    await giveUpBilling(billing).catch(() => undefined);
    throw error;
  }
}

/** @throws ConditionFailed when the hold has ended, and with it the invoice */
function ownHold({ current, holds }: Plan): StoredHold | undefined {
  if (current.holdId === null) return undefined;
  const hold = holds.get(current.holdId);
  if (!hold) throw new Outdated();
  return hold;
}

/** Credits of the invoice except 10,000 more at most, and all of them take 384 KB of the 400 KB of an item. */
const MAX_EXCEPT = 14_000;

/** @throws Problem `invoice_too_large` */
function withExceptions(hold: StoredHold, except: ReadonlySet<string>): StoredHold {
  if (except.size > MAX_EXCEPT) throw invoiceTooLarge(`More than ${MAX_EXCEPT} entries have left it: make a new one.`);
  return { ...hold, version: newVersion(), except };
}

/** Leaves the hold exactly the entries that stay and come. */
function holdWrites(
  { current, staying, coming, leaving }: Plan,
  before: StoredHold | undefined,
  holdId: string,
): Write[] {
  const { organizationId, id: invoiceId } = current;
  const isHeld = staying.length + coming.length > 0;
  if (!before) return isHeld ? [holdPut(organizationId, { id: holdId, invoiceId, except: new Set() })] : [];
  if (!isHeld) return [holdEnd(organizationId, before.id)];
  // Entries that stay are on the lines only as long as the hold has them.
  if (coming.length + leaving.length === 0) return [holdCheck(organizationId, before)];
  const come = new Set(coming.map(({ id }) => id));
  const except = new Set([...before.except, ...leaving].filter((id) => !come.has(id)));
  return [holdReplacement(organizationId, before, withExceptions(before, except))];
}
