import { clientCheck, requireClient } from '#shared/data/clients/clients.ts';
import { readDirectory } from '#shared/data/clients/directory.ts';
import { countChange } from '#shared/data/dynamo/counts.ts';
import { ConditionFailed, type TransactItem, transact, tryTransact } from '#shared/data/dynamo/transaction.ts';
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
import { claimCheck, claimCompletion, claimedEntriesPut, claimPut, entryClaim } from '#shared/data/tracker/claims.ts';
import { type Invoice, invoiceCurrency } from '#shared/domain/invoices/invoice.ts';
import type { InvoiceSources } from '#shared/domain/invoices/invoice-draft.ts';
import { copiedProductIds, type LineDraft } from '#shared/domain/invoices/line-item.ts';
import { overloaded, type Problem } from '#shared/domain/problems.ts';
import {
  readUnbilled,
  type Selected,
  type StoredBillable,
  selectBillable,
  selects,
  type TimeSelection,
} from './billable-entries.ts';
import { insertion } from './invoice-items.ts';
import { assertEntryCount, readLineSources, readProjectNames } from './line-sources.ts';

/**
 * New invoices. One that fits into a transaction is written in one, with the entries that it bills. Of a larger one the entries are claimed first, so many at a
 * time, under a pending claim that nobody sees; the last transaction writes the invoice, with lines of exactly the entries that were
 * claimed, and makes the claim count. A request that dies on the way has written nothing that anybody sees, and what it leaves is given
 * up by the next request for the client, or by the schedule `sweep-claims`.
 */

interface Owner {
  readonly organizationId: string;
  /** The default currency. */
  readonly currency: string;
}

interface Wanted {
  readonly clientId: string;
  readonly currency?: string;
  readonly lineItems: readonly LineDraft[];
  readonly timeEntries?: {
    readonly dateFrom: string;
    readonly dateTo: string;
    readonly projectId?: string | null;
  };
}

export interface Insertion {
  readonly owner: Owner;
  /** Of the invoice, and of its claim. */
  readonly id: string;
  readonly wanted: Wanted;
  /** Makes the invoice of what was found, which may be another each time. */
  readonly make: (sources: InvoiceSources) => Invoice;
  readonly newId: () => string;
  /** Of the request, which bounds how long it waits for others. */
  readonly remainingMilliseconds: () => number;
  readonly maxTransactionItems?: number;
}

/** @throws Problem `reference_not_found`, `entry_not_billable`, `entry_invoiced`, `invoice_too_large`, `invoicing_in_progress`, and what `make` throws */
export async function insertInvoice(request: Insertion): Promise<Invoice> {
  const { owner, id, wanted, make, maxTransactionItems = MAX_TRANSACTION_ITEMS } = request;
  const client = { organizationId: owner.organizationId, clientId: wanted.clientId };
  for (;;) {
    // Otherwise what a request that has died was about to bill would seem to be billed.
    if (billsTime(wanted)) await waitWhileClaimed(client, request.remainingMilliseconds);
    const sources = await readSources(request);
    // Made before anything is claimed: what is refused, is refused without a write.
    const invoice = make(sources);
    const writes = [...(await invoiceWrites(request, invoice)), ...(await claimWrites(invoice, sources))];
    if (writes.length <= maxTransactionItems) {
      if (await tryTransact(writes)) return invoice;
      continue;
    }
    const claiming = await beginClaiming({ ...client, claimId: id });
    if (claiming) return insertInSteps(request, claiming, sources);
  }
}

function billsTime({ lineItems, timeEntries }: Wanted): boolean {
  return timeEntries !== undefined || lineItems.some(({ entryIds }) => entryIds?.length);
}

interface Sources extends InvoiceSources {
  /** Undefined where no days are asked for. */
  readonly selection: TimeSelection | undefined;
  readonly entries: ReadonlyMap<string, StoredBillable>;
  readonly selected: readonly StoredBillable[];
  /** Whether the days may have more to bill once others are done. */
  readonly mayGrow: boolean;
}

/** A new invoice has copied nothing before. */
const NO_PRODUCTS: ReadonlySet<string> = new Set();

const NOTHING: Selected = { entries: [], mayGrow: false };

async function readSources(request: Insertion): Promise<Sources> {
  const { owner, id: invoiceId, wanted, newId, remainingMilliseconds } = request;
  const { organizationId } = owner;
  const directory = readDirectory(organizationId);
  // It is awaited below, unless something else fails before.
  directory.catch(() => undefined);
  const client = await requireClient(organizationId, wanted.clientId);
  const billing = { clientId: client.id, currency: invoiceCurrency(wanted.currency, client, owner.currency) };
  const { timeEntries } = wanted;
  const projectId = timeEntries?.projectId ?? null;
  const selection = timeEntries && { ...billing, ...timeEntries, projectId };
  const [lineSources, found] = await Promise.all([
    readLineSources(organizationId, billing, wanted.lineItems, {
      invoiceId,
      productIds: NO_PRODUCTS,
      remainingMilliseconds,
    }),
    selection ? selectBillable(organizationId, selection) : NOTHING,
  ]);
  const selected = found.entries.filter(({ id }) => !lineSources.entries.has(id));
  const entries = [...lineSources.entries.values(), ...selected];
  assertEntryCount(entries.length);
  const projectNames = await readProjectNames(organizationId, entries, projectId, directory);
  return { ...lineSources, client, selection, selected, mayGrow: found.mayGrow, projectNames, newId };
}

function entriesOf({ entries, selected }: Sources): StoredBillable[] {
  return [...entries.values(), ...selected];
}

/** The invoice itself and all that it implies, but for its entries. */
async function invoiceWrites({ wanted }: Insertion, invoice: Invoice, claimIds = claimIdsOf(invoice)) {
  const { organizationId, clientId } = invoice;
  return [
    ...(await insertion(invoice, claimIds)),
    countChange(organizationId, 'INVOICE', { all: 1 }),
    clientCheck(organizationId, clientId),
    ...usageIncreases(organizationId, copiedProductIds(wanted.lineItems, NO_PRODUCTS)),
  ];
}

function claimIdsOf({ id, lineItems }: Invoice): string[] {
  return lineItems.some(({ entryIds }) => entryIds.length > 0) ? [id] : [];
}

async function claimWrites(invoice: Invoice, sources: Sources): Promise<TransactItem[]> {
  const { organizationId, id } = invoice;
  const entries = entriesOf(sources);
  if (entries.length === 0) return [];
  return [
    unclaimedCheck(invoice),
    claimPut(organizationId, id),
    await claimedEntriesPut(organizationId, id, idsOf(entries)),
    ...entries.flatMap((entry) => entryClaim(entry, { invoiceId: id, claimId: id })),
  ];
}

function idsOf(entries: readonly StoredBillable[]): string[] {
  return entries.map(({ id }) => id);
}

async function insertInSteps(request: Insertion, claiming: Claiming, found: Sources): Promise<Invoice> {
  try {
    return await insertClaimed(request, claiming, found);
  } catch (error) {
    // What fails here too is left to the next request for the client, or to the schedule.
    await abandonClaiming(claiming, new Date()).catch(() => false);
    throw error instanceof ConditionFailed ? await refusal(request) : error;
  }
}

/** What a condition did not hold for shows when everything is looked at again. */
async function refusal(request: Insertion): Promise<Problem> {
  await readSources(request);
  return overloaded();
}

/** What was found before the claiming began is looked at again where others were at the same entries: theirs may be free now. */
async function insertClaimed(request: Insertion, claiming: Claiming, found: Sources): Promise<Invoice> {
  const { organizationId, claimId } = claiming;
  const sources = found.mayGrow ? await readSources(request) : found;
  await transact([
    claimCheck(organizationId, claimId, 'pending'),
    await claimedEntriesPut(organizationId, claimId, idsOf(entriesOf(sources))),
  ]);
  const invoice = request.make(only(await claimAll(request, sources), sources));
  await transact([
    ...(await invoiceWrites(request, invoice, [claimId])),
    claimCompletion(organizationId, claimId),
    claimingEnd(claiming),
  ]);
  return invoice;
}

/**
 * @returns the entries as they were claimed; of those that the days select, some may have stopped to be billable on the way
 * @throws ConditionFailed when that is so for one that a line names
 */
function claimAll(request: Insertion, sources: Sources): Promise<StoredBillable[]> {
  const { owner, id, maxTransactionItems = MAX_TRANSACTION_ITEMS } = request;
  const { organizationId } = owner;
  return claimInSteps(entriesOf(sources), {
    organizationId,
    invoiceId: id,
    claimId: id,
    state: 'pending',
    readAgain: (ids) => stillBillable(organizationId, ids, sources),
    maxTransactionItems,
  });
}

async function stillBillable(
  organizationId: string,
  ids: readonly string[],
  { client, currency, entries: named, selection }: Sources,
): Promise<StoredBillable[]> {
  const present = await readUnbilled(organizationId, ids, { clientId: client.id, currency });
  const found = new Set(idsOf(present));
  if (ids.some((id) => named.has(id) && !found.has(id))) throw new ConditionFailed([]);
  return present.filter((entry) => named.has(entry.id) || (selection && selects(selection)(entry)));
}

function only(held: readonly StoredBillable[], sources: Sources): Sources {
  const byId = new Map(held.map((entry) => [entry.id, entry]));
  return {
    ...sources,
    entries: new Map(held.filter(({ id }) => sources.entries.has(id)).map((entry) => [entry.id, entry])),
    selected: sources.selected.flatMap(({ id }) => byId.get(id) ?? []),
  };
}
