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
 * New invoices. A small invoice is written in one transaction, with the entries that it bills. Larger invoices claim
 * their entries first, in batches, under a pending claim that nobody sees. The last transaction writes the invoice,
 * with lines of exactly the claimed entries, and makes the claim live.
 *
 * A request that dies on the way has written nothing that anybody sees. The next request for the client gives up its
 * claim, or the schedule `sweep-claims` does.
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
  /** The id of the invoice, and of its claim. */
  readonly id: string;
  readonly wanted: Wanted;
  /** Makes the invoice from what was found, which may differ each time. */
  readonly make: (sources: InvoiceSources) => Invoice;
  readonly newId: () => string;
  /** What the request has left, which bounds how long it waits for others. */
  readonly remainingMilliseconds: () => number;
  readonly maxTransactionItems?: number;
}

/**
 * @throws Problem `reference_not_found`, `entry_not_billable`, `entry_invoiced`, `invoice_too_large`,
 * `invoicing_in_progress`, and what `make` throws
 */
export async function insertInvoice(request: Insertion): Promise<Invoice> {
  const { owner, id, wanted, make, maxTransactionItems = MAX_TRANSACTION_ITEMS } = request;
  const client = { organizationId: owner.organizationId, clientId: wanted.clientId };
  for (;;) {
    // A request that died may have left a claim. Without this wait, its entries would seem to be billed.
    if (billsTime(wanted)) await waitWhileClaimed(client, request.remainingMilliseconds);
    const sources = await readSources(request);
    // The invoice is made before anything is claimed: a refusal then costs no write.
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
  /** Whether the days may have more to bill once other requests are done. */
  readonly mayGrow: boolean;
}

/** A new invoice has copied nothing before. */
const NO_PRODUCTS: ReadonlySet<string> = new Set();

const NOTHING: Selected = { entries: [], mayGrow: false };

async function readSources(request: Insertion): Promise<Sources> {
  const { owner, id: invoiceId, wanted, newId, remainingMilliseconds } = request;
  const { organizationId } = owner;
  const directory = readDirectory(organizationId);
  // The promise is awaited below, unless something else fails before.
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

/** The writes of the invoice and all that it implies, except for its entries. */
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
    // If this fails too, the next request for the client gives up the claim, or the schedule does.
    await abandonClaiming(claiming, new Date()).catch(() => false);
    throw error instanceof ConditionFailed ? await refusal(request) : error;
  }
}

/** Reads the sources again to find which condition failed. */
async function refusal(request: Insertion): Promise<Problem> {
  await readSources(request);
  return overloaded();
}

/** If other requests held some of the entries, the sources are read again: these entries may be free now. */
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
 * @returns the entries as they were claimed, without selected entries that stopped being billable meanwhile
 * @throws ConditionFailed when an entry that a line names stopped being billable
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
