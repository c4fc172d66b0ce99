import type { CountedTime } from '#shared/contract/weight.ts';
import { clientCheck, requireClient } from '#shared/data/clients/clients.ts';
import { readDirectory } from '#shared/data/directory/directory.ts';
import { assertExternalIdFree } from '#shared/data/external-ids/external-ids.ts';
import { giveUpBilling, newBilling, releaseBilling, waitWhileBilled } from '#shared/data/holds/billing.ts';
import { holdPut, type StoredHolds } from '#shared/data/holds/holds.ts';
import { insertion } from '#shared/data/invoices/invoice-items.ts';
import { readOrganization } from '#shared/data/organization/organizations.ts';
import { usageIncreases } from '#shared/data/products/products.ts';
import { ConditionFailed, Outdated, transact, type Write } from '#shared/data/table/transaction.ts';
import type { Cell } from '#shared/data/tracker/ledger-reading.ts';
import { type Invoice, invoiceCurrency, invoiceEmpty } from '#shared/domain/invoices/invoice.ts';
import { draftInvoice, type InvoiceDraft, type InvoiceSources } from '#shared/domain/invoices/invoice-draft.ts';
import { copiedProductIds } from '#shared/domain/invoices/line-item.ts';
import type { TimeGrouping } from '#shared/domain/invoices/tracked-time.ts';
import { countOf } from '#shared/domain/tracker/list-plan.ts';
import { assertEntryCount, readLineSources, readProjectNames } from './line-sources.ts';
import { assertTakenInTime, takeEntries } from './take-entries.ts';
import {
  countSkipped,
  countTime,
  type StoredBillable,
  selectedCells,
  selects,
  selectUnbilled,
  type TimeSelection,
} from './unbilled-time.ts';

/**
 * The entries are taken first, in as many transactions as they need, and nobody sees that. Then one transaction writes
 * the invoice with lines of exactly these entries, and their hold (`take-entries.ts`).
 */

export interface InvoiceRequest {
  readonly owner: { readonly organizationId: string };
  readonly id: string;
  readonly draft: InvoiceDraft & {
    readonly clientId: string;
    readonly timeEntries?: { readonly dateFrom: string; readonly dateTo: string; readonly projectId?: string | null };
  };
  readonly pay?: (time: CountedTime) => Promise<void>;
  readonly now: Date;
  readonly newId: () => string;
  readonly answer: (invoice: Invoice) => Promise<readonly Write[]>;
  /** Bounds how long the request waits for others. */
  readonly remainingMilliseconds: () => number;
  readonly maxTransactionItems?: number;
}

/**
 * @throws Problem `reference_not_found`, `external_id_taken`, `entry_not_billable`, `entry_invoiced`, `invoice_empty`,
 *   `invoice_too_large`, `billing_too_large`, `invoicing_in_progress`
 */
export async function insertInvoice(request: InvoiceRequest): Promise<Invoice> {
  const client = { organizationId: request.owner.organizationId, clientId: request.draft.clientId };
  // Not retrying(): between two attempts this waits for another request that bills the client.
  for (;;) {
    const sources = await readSources(request);
    try {
      return await writeInvoice(request, sources);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
    await waitWhileBilled(client, request.remainingMilliseconds);
  }
}

interface Sources extends InvoiceSources {
  readonly selection: TimeSelection | undefined;
  /** Those that lines name, at least. Those of the days are in `selected`. */
  readonly entries: ReadonlyMap<string, StoredBillable>;
  readonly selected: readonly StoredBillable[];
  readonly holds: StoredHolds;
}

async function readSources({ owner, id, draft, newId, pay }: InvoiceRequest): Promise<Sources> {
  const { organizationId } = owner;
  const directory = readDirectory(organizationId);
  // If another read fails first, nobody awaits this promise: its failure must not count as unhandled.
  directory.catch(() => undefined);
  const [client, organization] = await Promise.all([
    requireClient(organizationId, draft.clientId),
    readOrganization(organizationId),
    // A repeated request finds its time billed: it must hear `external_id_taken`, not `invoice_empty`.
    draft.externalId ? assertExternalIdFree('INVOICE', organizationId, draft.externalId) : undefined,
  ]);
  const terms = { clientId: client.id, currency: invoiceCurrency(draft.currency, client, organization.currency) };
  const { timeEntries } = draft;
  const projectId = timeEntries?.projectId ?? null;
  const selection = timeEntries && { ...terms, ...timeEntries, projectId };
  const time = selection ? await countTime(organizationId, selection) : [];
  const counted = selection ? selectedCells(time, selection) : [];
  await pay?.({ entries: countOf(counted), lines: timeLineCount(counted, timeEntries?.groupBy) });
  const [ofLines, ofDays] = await Promise.all([
    readLineSources(organizationId, terms, draft.lineItems, { invoiceId: id, holdId: null, productIds: new Set() }),
    selection && selectUnbilled(organizationId, selection, counted),
  ]);
  const selected = ofDays?.entries.filter((entry) => !ofLines.entries.has(entry.id)) ?? [];
  const entries = [...ofLines.entries.values(), ...selected];
  assertEntryCount(entries.length);
  const holds = new Map([...ofLines.holds, ...(ofDays?.holds ?? [])]);
  assertTakenInTime(organizationId, { entries, holds });
  const projectNames = await readProjectNames(organizationId, entries, projectId, directory);
  if (selection && draft.lineItems.length === 0 && selected.length === 0) {
    throw invoiceEmpty(await countSkipped(organizationId, selection, time, ofDays?.found ?? []));
  }
  return { ...ofLines, holds, organization, client, selection, selected, projectNames, newId };
}

/** At least so many lines: a group with two rates becomes two, and sums know no rates. */
function timeLineCount(counted: readonly Cell[], groupBy: TimeGrouping | undefined): number {
  if (groupBy === 'entry') return countOf(counted);
  const groups = counted.map(({ period, dimensions }) => (groupBy === 'day' ? period : dimensions.projectId));
  return new Set(groups).size;
}

/** @throws ConditionFailed when something has changed that the invoice relies on, or another request is billing */
async function writeInvoice(request: InvoiceRequest, sources: Sources): Promise<Invoice> {
  const { owner, id, draft, newId } = request;
  const { organizationId } = owner;
  const { entries: named, selection } = sources;
  const entries = [...named.values(), ...sources.selected];
  const holdId = newId();
  // The whole invoice is made first: a refusal then comes before any write.
  const planned = await newInvoiceWrites(request, sources, entries.length > 0 ? holdId : null);
  const billing = newBilling({ organizationId, clientId: draft.clientId, id: newId(), holdId });
  try {
    const taken = await takeEntries(
      { entries, holds: sources.holds },
      {
        billing,
        currency: sources.currency,
        isWanted: (entry) => named.has(entry.id) || (selection !== undefined && selects(selection)(entry)),
        maxTransactionItems: request.maxTransactionItems,
      },
    );
    const isAsPlanned = taken.length === entries.length && taken.every((entry, at) => entry === entries[at]);
    const { invoice, writes } = isAsPlanned
      ? planned
      : await newInvoiceWrites(request, narrowedTo(taken, sources), holdId);
    // A taking that DynamoDB never acknowledged may be written after its retry was refused. An entry that was left out
    // then names the hold all the same, so the hold excepts it.
    const billed = new Set(taken.map((entry) => entry.id));
    const except = new Set(entries.map((entry) => entry.id).filter((entryId) => !billed.has(entryId)));
    const hold = { id: holdId, invoiceId: id, except };
    const holdWrites = taken.length > 0 ? [holdPut(organizationId, hold), releaseBilling(billing)] : [];
    await transact([...writes, ...holdWrites]);
    return invoice;
  } catch (error) {
    // Giving up does nothing if the commit was written, and stops one that is on its way. If it fails, the next request
    // for the client gives up.
    if (entries.length > 0) await giveUpBilling(billing).catch(() => undefined);
    throw error;
  }
}

async function newInvoiceWrites({ id, draft, now, answer }: InvoiceRequest, sources: Sources, holdId: string | null) {
  const invoice = draftInvoice(draft, sources, id, now);
  const { organizationId, clientId } = invoice;
  const writes: Write[] = [
    ...(await insertion(invoice, holdId)),
    clientCheck(organizationId, clientId),
    ...usageIncreases(organizationId, copiedProductIds(draft.lineItems, new Set())),
    ...(await answer(invoice)),
  ];
  return { invoice, writes };
}

/**
 * Leaves out entries of the days that stopped being billable.
 *
 * @throws ConditionFailed when an entry of a line did, or none is left to bill
 */
function narrowedTo(taken: readonly StoredBillable[], sources: Sources): Sources {
  const byId = new Map(taken.map((entry) => [entry.id, entry]));
  const isLineLost = [...sources.entries.keys()].some((id) => !byId.has(id));
  if (isLineLost || byId.size === 0) throw new Outdated();
  return { ...sources, entries: byId, selected: sources.selected.flatMap(({ id }) => byId.get(id) ?? []) };
}
