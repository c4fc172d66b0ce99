import { isDeepStrictEqual } from 'node:util';
import { canonicalDecimal, type Decimal, formatMinor, lineAmountMinor } from '#shared/domain/money.ts';
import { fault, referenceNotFound } from '#shared/domain/problems.ts';
import type { Product } from '#shared/domain/products/product.ts';
import { type TaxCategory, taxCategoryOf } from '#shared/domain/tax.ts';
import type { IsoDate } from '#shared/domain/tracker/work-time.ts';
import type { LineItem } from './invoice.ts';
import { assertServiceDates } from './service-dates.ts';
import { type BillableEntry, timeLinesOfAll } from './tracked-time.ts';

export interface LineDraft {
  readonly productId?: string | null;
  readonly entryIds?: readonly string[];
  readonly name?: string;
  readonly description?: string;
  readonly quantity?: Decimal;
  readonly unit?: string;
  readonly price?: Decimal;
  readonly taxRate?: Decimal | null;
  readonly taxCategory?: TaxCategory | null;
  readonly taxExemptionReason?: string | null;
  readonly serviceFrom?: IsoDate | null;
  readonly serviceTo?: IsoDate | null;
}

export interface LineSources {
  readonly currency: string;
  readonly products: ReadonlyMap<string, Product>;
  /** The entries that the invoice may bill, by id. */
  readonly entries: ReadonlyMap<string, BillableEntry>;
  readonly projectNames: ReadonlyMap<string, string>;
  readonly ownProductIds: ReadonlySet<string>;
  readonly newId: () => string;
}

/** @throws Problem `reference_not_found`, `currency_mismatch`, `tracked_time_fixed`, `tax_category_mismatch`, `invalid_date_range` */
export function lineItemsOf(drafts: readonly LineDraft[], sources: LineSources): LineItem[] {
  return drafts.flatMap((draft, position) => {
    const path = `lineItems.${position}`;
    const { entryIds = [] } = draft;
    return entryIds.length > 0 ? chosenTime(draft, entryIds, sources, path) : [simpleLine(draft, sources, path)];
  });
}

/** Whether they differ in nothing but their ids. */
export function areAlike(lines: readonly LineItem[], others: readonly LineItem[]): boolean {
  const values = (all: readonly LineItem[]) => all.map((line) => ({ ...line, id: '' }));
  return isDeepStrictEqual(values(lines), values(others));
}

export function copiedProductIds(drafts: readonly LineDraft[], ownProductIds: ReadonlySet<string>): string[] {
  return drafts.flatMap((draft) => (copiesProduct(draft, ownProductIds) ? (draft.productId ?? []) : []));
}

const COPIED_VALUES = ['name', 'description', 'unit', 'price', 'taxRate', 'taxCategory', 'taxExemptionReason'] as const;

/** A line that returns with all its values is no new copy: its product may have changed or be gone. */
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
  const taxRate = draft.taxRate === undefined ? (product?.taxRate ?? null) : draft.taxRate;
  // One by default is derived from the rate of the line, which may differ.
  const { taxCategory: wanted = product?.hasOwnTaxCategory ? product.taxCategory : null } = draft;
  const taxCategory = taxCategoryOf({ taxRate, taxCategory: wanted }, `${path}.taxCategory`);
  const copiedReason = taxCategory === product?.taxCategory ? product.taxExemptionReason : null;
  const { serviceFrom = null, serviceTo = null, taxExemptionReason = copiedReason } = draft;
  assertServiceDates({ serviceFrom, serviceTo }, path);
  return {
    id: sources.newId(),
    productId: draft.productId ?? null,
    entryIds: [],
    name,
    description: draft.description ?? product?.description ?? '',
    quantity,
    workedMinutes: null,
    unit: draft.unit ?? product?.unit ?? '',
    price,
    taxRate,
    taxCategory,
    taxExemptionReason,
    serviceFrom,
    serviceTo,
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

function chosenTime(draft: LineDraft, entryIds: readonly string[], sources: LineSources, path: string): LineItem[] {
  const entries = entryIds.flatMap((id) => sources.entries.get(id) ?? []);
  const { taxRate = null, taxExemptionReason = null } = draft;
  const taxCategory = taxCategoryOf({ taxRate, taxCategory: draft.taxCategory }, `${path}.taxCategory`);
  const lines = timeLinesOfAll(entries, { ...sources, taxRate, taxCategory, taxExemptionReason });
  assertUnchanged(draft, lines, 'quantity', path);
  assertUnchanged(draft, lines, 'price', path);
  return lines.map(({ name, description, ...line }) => ({
    ...line,
    name: draft.name ?? name,
    description: draft.description ?? description,
  }));
}

/** A line may return unchanged. Only its entries can change its price. */
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
