import { canonicalDecimal, formatMinor, lineAmountMinor } from '#shared/domain/money.ts';
import { fault, referenceNotFound } from '#shared/domain/problems.ts';
import type { Product } from '#shared/domain/products/product.ts';
import type { LineItem } from './invoice.ts';
import { type BillableEntry, timeLinesOfAll } from './tracked-time.ts';

/** Lines that a caller spells out: with their own values, of a product, or of chosen entries. */

export interface LineDraft {
  readonly productId?: string | null;
  readonly entryIds?: readonly string[];
  readonly name?: string;
  readonly description?: string;
  /** Decimal string */
  readonly quantity?: string;
  readonly unit?: string;
  /** Decimal string */
  readonly price?: string;
  /** Decimal string, percent */
  readonly taxRate?: string | null;
}

/** The present state of what lines are made of. */
export interface LineSources {
  readonly currency: string;
  /** Products of the organization, by id. */
  readonly products: ReadonlyMap<string, Product>;
  /** The entries that the invoice may bill, by id. */
  readonly entries: ReadonlyMap<string, BillableEntry>;
  /** The names of the projects that exist, by id. */
  readonly projectNames: ReadonlyMap<string, string>;
  /** Products that the invoice already has lines of. */
  readonly ownProductIds: ReadonlySet<string>;
  readonly newId: () => string;
}

/** @throws Problem `reference_not_found`, `currency_mismatch`, `tracked_time_fixed` */
export function lineItemsOf(drafts: readonly LineDraft[], sources: LineSources): LineItem[] {
  return drafts.flatMap((draft, position) => {
    const path = `lineItems.${position}`;
    return draft.entryIds?.length ? chosenTime(draft, sources, path) : [simpleLine(draft, sources, path)];
  });
}

/** The products that lines copy anew, one id for each such line. */
export function copiedProductIds(drafts: readonly LineDraft[], ownProductIds: ReadonlySet<string>): string[] {
  return drafts.flatMap((draft) => (copiesProduct(draft, ownProductIds) ? (draft.productId ?? []) : []));
}

/** The values that a line copies from its product. The quantity is the line's own. */
const COPIED_VALUES = ['name', 'description', 'unit', 'price', 'taxRate'] as const;

/** A line that is sent back unchanged, with all its values, is no new copy. Its product may have changed or be gone. */
function copiesProduct(draft: LineDraft, ownProductIds: ReadonlySet<string>): boolean {
  if (!draft.productId) return false;
  return !ownProductIds.has(draft.productId) || COPIED_VALUES.some((member) => draft[member] === undefined);
}

function simpleLine(draft: LineDraft, sources: LineSources, path: string): LineItem {
  const product = copiesProduct(draft, sources.ownProductIds) ? productOf(draft, sources, path) : undefined;
  const price = draft.price ?? product?.price;
  const name = draft.name ?? product?.name;
  if (name === undefined || price === undefined) throw new Error('A line without a name or a price.');
  const quantity = draft.quantity ?? '1';
  return {
    id: sources.newId(),
    productId: draft.productId ?? null,
    entryIds: [],
    name,
    description: draft.description ?? product?.description ?? '',
    quantity,
    unit: draft.unit ?? product?.unit ?? '',
    price,
    taxRate: draft.taxRate === undefined ? (product?.taxRate ?? null) : draft.taxRate,
    amount: formatMinor(lineAmountMinor(quantity, price, sources.currency), sources.currency),
  };
}

function productOf({ productId }: LineDraft, { products, currency }: LineSources, path: string): Product {
  const product = products.get(productId ?? '');
  if (!product) throw referenceNotFound(`${path}.productId`);
  if (product.currency === currency) return product;
  throw fault(
    'currency_mismatch',
    `${path}.productId`,
    `The product is priced in ${product.currency}, and the invoice is in ${currency}.`,
  );
}

/** The lines of chosen entries. The entries are loaded already, and each is known to be billable. */
function chosenTime(draft: LineDraft, sources: LineSources, path: string): LineItem[] {
  const entries = (draft.entryIds ?? []).flatMap((id) => sources.entries.get(id) ?? []);
  const lines = timeLinesOfAll(entries, { ...sources, taxRate: draft.taxRate ?? null });
  assertUnchanged(draft, lines, 'quantity', path);
  assertUnchanged(draft, lines, 'price', path);
  return lines.map(({ name, description, ...line }) => ({
    ...line,
    name: draft.name ?? name,
    description: draft.description ?? description,
  }));
}

/** Sending a line back unchanged is allowed. To change its price, change its entries. */
function assertUnchanged(
  draft: LineDraft,
  lines: readonly LineItem[],
  member: 'quantity' | 'price',
  path: string,
): void {
  const wanted = draft[member];
  const isSame = (line: LineItem) =>
    wanted === undefined || canonicalDecimal(line[member]) === canonicalDecimal(wanted);
  if (lines.every(isSame)) return;
  throw fault('tracked_time_fixed', `${path}.${member}`, 'Tracked time has the quantity and price of its entries.');
}
