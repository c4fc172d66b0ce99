import { clientCheck, requireClient } from '#shared/data/clients/clients.ts';
import { readDirectory } from '#shared/data/clients/directory.ts';
import { countChange } from '#shared/data/dynamo/counts.ts';
import { ConditionFailed, transact } from '#shared/data/dynamo/transaction.ts';
import { readOrganization } from '#shared/data/organization/organizations.ts';
import { usageIncreases } from '#shared/data/products/products.ts';
import { claimThenCommit, MAX_TRANSACTION_ITEMS } from '#shared/data/tracker/claim-time.ts';
import { waitWhileClaimed } from '#shared/data/tracker/claim-wait.ts';
import { type Invoice, invoiceCurrency } from '#shared/domain/invoices/invoice.ts';
import type { InvoiceSources } from '#shared/domain/invoices/invoice-draft.ts';
import { copiedProductIds, type LineDraft } from '#shared/domain/invoices/line-item.ts';
import { overloaded, type Problem } from '#shared/domain/problems.ts';
import { readUnbilled, type StoredBillable, selectBillable, selects, type TimeSelection } from './billable-entries.ts';
import { insertion } from './invoice-items.ts';
import { assertEntryCount, readLineSources, readProjectNames } from './line-sources.ts';

/**
 * New invoices. The entries that an invoice bills are claimed first. The transaction that writes the invoice, with lines
 * of exactly the claimed entries, makes the claim count (`claim-time.ts`).
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
  /** Told the invoice right before the transaction that makes it. */
  readonly answer?: (invoice: Invoice) => unknown;
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
  const { owner, wanted, remainingMilliseconds } = request;
  const client = { organizationId: owner.organizationId, clientId: wanted.clientId };
  for (;;) {
    const invoice = await tryInsert(request, await readSources(request));
    if (invoice) return invoice;
    await waitWhileClaimed(client, remainingMilliseconds);
  }
}

interface Sources extends InvoiceSources {
  /** Undefined where no days are asked for. */
  readonly selection: TimeSelection | undefined;
  readonly entries: ReadonlyMap<string, StoredBillable>;
  readonly selected: readonly StoredBillable[];
}

/** A new invoice has copied nothing before. */
const NO_PRODUCTS: ReadonlySet<string> = new Set();

async function readSources(request: Insertion): Promise<Sources> {
  const { owner, id: invoiceId, wanted, newId, remainingMilliseconds } = request;
  const { organizationId } = owner;
  const directory = readDirectory(organizationId);
  // The promise is awaited below, unless something else fails before.
  directory.catch(() => undefined);
  const [client, organization] = await Promise.all([
    requireClient(organizationId, wanted.clientId),
    readOrganization(organizationId),
  ]);
  const billing = { clientId: client.id, currency: invoiceCurrency(wanted.currency, client, owner.currency) };
  const { timeEntries } = wanted;
  const projectId = timeEntries?.projectId ?? null;
  const selection = timeEntries && { ...billing, ...timeEntries, projectId };
  const [lineSources, ofDays] = await Promise.all([
    readLineSources(organizationId, billing, wanted.lineItems, {
      invoiceId,
      productIds: NO_PRODUCTS,
      remainingMilliseconds,
    }),
    selection ? selectBillable(organizationId, selection, remainingMilliseconds) : [],
  ]);
  const selected = ofDays.filter(({ id }) => !lineSources.entries.has(id));
  const entries = [...lineSources.entries.values(), ...selected];
  assertEntryCount(entries.length);
  const projectNames = await readProjectNames(organizationId, entries, projectId, directory);
  return { ...lineSources, organization, client, selection, selected, projectNames, newId };
}

/** @returns undefined when another request is claiming the client's time */
async function tryInsert(request: Insertion, sources: Sources): Promise<Invoice | undefined> {
  const { owner, id, wanted, make, maxTransactionItems = MAX_TRANSACTION_ITEMS } = request;
  const { organizationId } = owner;
  // The invoice is made before anything is claimed: a refusal then costs no write.
  await invoiceWrites(request, make(sources));
  const claim = {
    organizationId,
    clientId: wanted.clientId,
    invoiceId: id,
    claimId: id,
    entries: [...sources.entries.values(), ...sources.selected],
    readAgain: (ids: readonly string[]) => stillBillable(organizationId, ids, sources),
    maxTransactionItems,
  };
  try {
    return await claimThenCommit(claim, async (claimed, writes) => {
      const invoice = make(only(claimed, sources));
      const last = [...(await invoiceWrites(request, invoice)), ...writes];
      request.answer?.(invoice);
      await transact(last);
      return invoice;
    });
  } catch (error) {
    throw error instanceof ConditionFailed ? await refusal(request) : error;
  }
}

/** The writes of the invoice and all that it implies, except for its entries. @throws Problem `invoice_too_large` */
async function invoiceWrites({ wanted }: Insertion, invoice: Invoice) {
  const { organizationId, id, clientId, lineItems } = invoice;
  const claimIds = lineItems.some(({ entryIds }) => entryIds.length > 0) ? [id] : [];
  return [
    ...(await insertion(invoice, claimIds)),
    countChange(organizationId, 'INVOICE', { all: 1 }),
    clientCheck(organizationId, clientId),
    ...usageIncreases(organizationId, copiedProductIds(wanted.lineItems, NO_PRODUCTS)),
  ];
}

/** Reads the sources again to find which condition failed. */
async function refusal(request: Insertion): Promise<Problem> {
  await readSources(request);
  return overloaded();
}

/** @throws ConditionFailed when an entry that a line names stopped being billable */
async function stillBillable(
  organizationId: string,
  ids: readonly string[],
  { client, currency, entries: named, selection }: Sources,
): Promise<StoredBillable[]> {
  const present = await readUnbilled(organizationId, ids, { clientId: client.id, currency });
  const found = new Set(present.map(({ id }) => id));
  if (ids.some((id) => named.has(id) && !found.has(id))) throw new ConditionFailed([]);
  return present.filter((entry) => named.has(entry.id) || (selection && selects(selection)(entry)));
}

/** The sources with the entries as they were claimed, without those that stopped being billable meanwhile. */
function only(claimed: readonly StoredBillable[], sources: Sources): Sources {
  const byId = new Map(claimed.map((entry) => [entry.id, entry]));
  return {
    ...sources,
    entries: new Map(claimed.filter(({ id }) => sources.entries.has(id)).map((entry) => [entry.id, entry])),
    selected: sources.selected.flatMap(({ id }) => byId.get(id) ?? []),
  };
}
