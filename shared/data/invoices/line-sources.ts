import { type Directory, readDirectory } from '#shared/data/clients/directory.ts';
import { findProducts } from '#shared/data/products/products.ts';
import { readSettledClaims } from '#shared/data/tracker/claim-wait.ts';
import { readEntries } from '#shared/data/tracker/entries.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { readLinks } from '#shared/data/tracker/links.ts';
import { MAX_INVOICE_ENTRIES } from '#shared/domain/invoices/invoice.ts';
import { invoiceTooLarge } from '#shared/domain/invoices/invoice-size.ts';
import { copiedProductIds, type LineDraft, type LineSources } from '#shared/domain/invoices/line-item.ts';
import { assertBillable, type Billing, hasRate } from '#shared/domain/invoices/tracked-time.ts';
import { referenceNotFound } from '#shared/domain/problems.ts';
import { assertNotInvoiced } from '#shared/domain/tracker/entry.ts';
import type { Claims } from '#shared/domain/tracker/present-entry.ts';
import type { StoredBillable } from './billable-entries.ts';

/** What the lines of an invoice are made of, as it is now. */

/** What the invoice may have already. */
export interface Own {
  readonly invoiceId: string;
  readonly productIds: ReadonlySet<string>;
  /** What the request has left, which bounds how long it waits for others. */
  readonly remainingMilliseconds: () => number;
}

interface ReadLineSources extends Omit<LineSources, 'entries' | 'newId' | 'projectNames'> {
  readonly entries: ReadonlyMap<string, StoredBillable>;
}

/** The transaction that writes the invoice counts each on its product, and holds 100 items. */
const MAX_COPIED_PRODUCTS = 80;

/**
 * The products and entries that lines name. Each entry is free to be billed, or on this invoice already.
 *
 * @throws Problem `reference_not_found`, `entry_not_billable`, `entry_invoiced`, `invoice_too_large`,
 * `invoicing_in_progress`
 */
export async function readLineSources(
  organizationId: string,
  billing: Billing,
  drafts: readonly LineDraft[],
  own: Own,
): Promise<ReadLineSources> {
  const copied = new Set(copiedProductIds(drafts, own.productIds));
  if (copied.size > MAX_COPIED_PRODUCTS) throw invoiceTooLarge(`It copies more than ${MAX_COPIED_PRODUCTS} products.`);
  const [products, entries] = await Promise.all([
    findProducts(organizationId, [...copied]),
    readChosen(organizationId, billing, drafts, own),
  ]);
  return { currency: billing.currency, products, entries, ownProductIds: own.productIds };
}

/** The entries that lines name. */
async function readChosen(
  organizationId: string,
  billing: Billing,
  drafts: readonly LineDraft[],
  own: Own,
): Promise<Map<string, StoredBillable>> {
  const ids = drafts.flatMap(({ entryIds }) => entryIds ?? []);
  assertEntryCount(ids.length);
  const found = await readEntries(organizationId, ids);
  const claims = await readSettledClaims({ ...billing, organizationId }, found, own.remainingMilliseconds);
  return choose(drafts, new Map(found.map((entry) => [entry.id, entry])), claims, billing, own);
}

/** Entries that the invoice bills already need no new check: nobody could change them. */
function choose(
  drafts: readonly LineDraft[],
  found: ReadonlyMap<string, StoredEntry>,
  claims: Claims,
  billing: Billing,
  own: Own,
): Map<string, StoredBillable> {
  const chosen = new Map<string, StoredBillable>();
  for (const [position, { entryIds = [] }] of drafts.entries()) {
    for (const [index, id] of entryIds.entries()) {
      const path = `lineItems.${position}.entryIds.${index}`;
      const entry = found.get(id);
      if (!entry) throw referenceNotFound(path);
      const isInvoiced = entry.claimId !== null && claims.has(entry.claimId);
      const isOwn = isInvoiced && entry.invoiceId === own.invoiceId;
      if (isInvoiced && !isOwn) assertNotInvoiced(entry);
      if (!(isOwn && hasRate(entry))) assertBillable(entry, billing, path);
      chosen.set(id, entry);
    }
  }
  return chosen;
}

/** @throws Problem `invoice_too_large` */
export function assertEntryCount(count: number): void {
  if (count > MAX_INVOICE_ENTRIES) throw invoiceTooLarge(`An invoice bills at most ${MAX_INVOICE_ENTRIES} entries.`);
}

/** The names of the entries' projects, and of the required project, which must exist. */
export async function readProjectNames(
  organizationId: string,
  entries: Iterable<StoredBillable>,
  required: string | null = null,
  directory: Promise<Directory> = readDirectory(organizationId),
): Promise<Map<string, string>> {
  const projectIds = [...entries].map(({ projectId }) => projectId);
  const linked = [required, ...projectIds].map((projectId) => ({ projectId, clientId: null }));
  const { projects } = await readLinks(organizationId, linked, directory);
  if (required !== null && !projects.has(required)) throw referenceNotFound('timeEntries.projectId');
  return new Map([...projects].map(([id, { name }]) => [id, name]));
}
