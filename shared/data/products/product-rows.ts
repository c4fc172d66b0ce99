import * as v from 'valibot';
import { type NamedProducts, productKey, productNameKey, productTextKey } from '#shared/data/layout/keys.ts';
import { known } from '#shared/data/table/known.ts';
import { type LeanRow, rowChanges } from '#shared/data/table/lean-rows.ts';
import { metadata, metadataAttribute, nullableTexts, texts } from '#shared/data/table/members.ts';
import type { Item } from '#shared/data/table/query.ts';
import { sparse, withoutNulls } from '#shared/data/table/sparse.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { newVersion } from '#shared/data/table/versioned.ts';
import { differences } from '#shared/data/table/writes.ts';
import type { Product } from '#shared/domain/products/product.ts';
import { TAX_CATEGORIES } from '#shared/domain/tax.ts';
import { foldText } from '#shared/domain/text.ts';

/** Lists and searches look through lean rows of names and texts: ten thousand descriptions would take too long. */
function rowsOf(product: Product): LeanRow[] {
  const { organizationId, id, isActive } = product;
  const foldedName = foldText(product.name);
  const nameAmong = (named: NamedProducts) => ({ ...productNameKey(organizationId, named, id), foldedName });
  const text = { ...productTextKey(organizationId, id), foldedText: foldedText(product) };
  return isActive ? [nameAmong('ALL'), nameAmong('ACTIVE'), text] : [nameAmong('ALL')];
}

/** In no text. */
const SEPARATOR = '\u0001';

/** More attributes in each row would make a search slower. */
function foldedText({ name, description, sku, category }: Product): string {
  return [name, description, sku ?? '', category ?? ''].map(foldText).join(SEPARATOR);
}

const ownValues = v.object({
  ...texts('id', 'name', 'description'),
  ...nullableTexts('sku', 'category'),
  ...texts('price', 'currency', 'unit'),
  ...nullableTexts('taxRate'),
  taxCategory: v.nullable(known(TAX_CATEGORIES, null)),
  ...nullableTexts('taxExemptionReason', 'externalId'),
  isActive: v.boolean(),
  ...texts('userId', 'organizationId', 'createdAt', 'updatedAt'),
  hasOwnTaxCategory: v.optional(v.boolean(), false),
  metadata,
});

export function productItem(product: Product) {
  return itemWith(product, valuesOf(product));
}

/** The JSON of a changed product carries what this version does not know. @param json of the product as it was read */
export function changedProductItem(before: Product, after: Product, json: string) {
  const stored = v.parse(v.record(v.string(), v.unknown()), JSON.parse(json));
  return itemWith(after, { ...stored, ...differences(valuesOf(before), valuesOf(after)) });
}

function valuesOf(product: Product) {
  const { hasOwnTaxCategory, metadata: _, ...values } = withoutNulls(v.parse(ownValues, product));
  return { ...values, ...(hasOwnTaxCategory && { hasOwnTaxCategory }), ...metadataAttribute(product.metadata) };
}

/** The SDK takes time for every attribute, so all that is only read as a whole is one JSON attribute. */
function itemWith({ organizationId, id, isActive, usageCount }: Product, values: object) {
  const key = productKey(organizationId, id);
  return { ...key, product: JSON.stringify(values), isActive, usageCount, version: newVersion() };
}

const row = v.object({
  product: v.pipe(v.string(), v.parseJson(), sparse(ownValues)),
  usageCount: v.number(),
});

export const PRODUCT_ATTRIBUTES: readonly string[] = ['product', 'usageCount'];

export function productFrom(item: Item): Product {
  const { product, usageCount } = v.parse(row, item);
  return { ...product, usageCount };
}

/** `before` is null for a new product, `after` for one that goes. */
export function leanRowChanges(before: Product | null, after: Product | null): TransactItem[] {
  return rowChanges(before ? rowsOf(before) : [], after ? rowsOf(after) : []);
}
