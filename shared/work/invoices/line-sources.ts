import { type Directory, readDirectory, readDirectoryFor } from '#shared/data/directory/directory.ts';
import { readHolds, type StoredHolds } from '#shared/data/holds/holds.ts';
import { findProducts } from '#shared/data/products/products.ts';
import { readEntries } from '#shared/data/tracker/entries.ts';
import { chosenEntries } from '#shared/domain/invoices/chosen-entries.ts';
import { MAX_INVOICE_ENTRIES } from '#shared/domain/invoices/invoice.ts';
import { invoiceTooLarge } from '#shared/domain/invoices/invoice-size.ts';
import { copiedProductIds, type LineDraft, type LineSources } from '#shared/domain/invoices/line-item.ts';
import type { BillingTerms } from '#shared/domain/invoices/tracked-time.ts';
import { referenceNotFound } from '#shared/domain/problems.ts';
import type { StoredBillable } from './unbilled-time.ts';

/** The invoice's own products and hold; none if it is new. */
export interface Own {
  readonly invoiceId: string;
  readonly holdId: string | null;
  readonly productIds: ReadonlySet<string>;
}

interface ReadLineSources extends Omit<LineSources, 'entries' | 'newId' | 'projectNames'> {
  readonly entries: ReadonlyMap<string, StoredBillable>;
  readonly holds: StoredHolds;
}

/** The transaction that writes the invoice counts each on its product, beside 18 others at most, and has room for 100 items. */
const MAX_COPIED_PRODUCTS = 80;

/** @throws Problem `reference_not_found`, `entry_not_billable`, `entry_invoiced`, `invoice_too_large` */
export async function readLineSources(
  organizationId: string,
  terms: BillingTerms,
  drafts: readonly LineDraft[],
  { invoiceId, holdId, productIds }: Own,
): Promise<ReadLineSources> {
  const copied = new Set(copiedProductIds(drafts, productIds));
  if (copied.size > MAX_COPIED_PRODUCTS) throw invoiceTooLarge(`It copies more than ${MAX_COPIED_PRODUCTS} products.`);
  const ids = drafts.flatMap(({ entryIds }) => entryIds ?? []);
  assertEntryCount(ids.length);
  const [products, found] = await Promise.all([
    findProducts(organizationId, [...copied]),
    readEntries(organizationId, ids),
  ]);
  const holds = await readHolds(organizationId, [...found, { holdId }]);
  const byId = new Map(found.map((entry) => [entry.id, entry]));
  const entries = chosenEntries(drafts, byId, holds, { ...terms, invoiceId });
  return { currency: terms.currency, products, entries, holds, ownProductIds: productIds };
}

export function assertEntryCount(count: number): void {
  if (count > MAX_INVOICE_ENTRIES) throw invoiceTooLarge(`An invoice bills at most ${MAX_INVOICE_ENTRIES} entries.`);
}

/** @param required must exist */
export async function readProjectNames(
  organizationId: string,
  entries: Iterable<StoredBillable>,
  required: string | null = null,
  directory: Promise<Directory> = readDirectory(organizationId),
): Promise<Map<string, string>> {
  const projectIds = [...entries].map(({ projectId }) => projectId);
  const linked = [required, ...projectIds].map((projectId) => ({ projectId, clientId: null }));
  const { projects } = await readDirectoryFor(organizationId, linked, directory);
  if (required !== null && !projects.has(required)) throw referenceNotFound('timeEntries.projectId');
  return new Map([...projects].map(([id, { name }]) => [id, name]));
}
