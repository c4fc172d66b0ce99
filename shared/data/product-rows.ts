import * as v from 'valibot';
import { product as productSchema } from '#shared/contract/products.ts';
import type { Product } from '#shared/domain/product.ts';
import { fold } from '#shared/domain/text.ts';
import { TABLE_NAME } from './client.ts';
import { type Key, productKey, productNameKey, productTextKey } from './table.ts';
import type { TransactItem } from './transaction.ts';

/**
 * The rows of a product. Beside the product itself lie lean rows that lists and searches read in its place: one with its name, in a partition
 * of the active or of the inactive ones, and while it is active one with all its searchable text. So a list of ten thousand products
 * reads their names, and not their descriptions.
 */
interface Row {
  readonly key: Key;
  readonly attributes: Readonly<Record<string, unknown>>;
}

function rowsOf(product: Product): Row[] {
  const { organizationId, id, isActive } = product;
  const foldedName = fold(product.name);
  const name = {
    key: productNameKey(organizationId, isActive ? 'ACTIVE' : 'INACTIVE', id),
    attributes: { foldedName },
  };
  const text = {
    key: productTextKey(organizationId, id),
    attributes: {
      foldedName,
      foldedDescription: fold(product.description),
      foldedSku: fold(product.sku ?? ''),
      foldedCategory: fold(product.category ?? ''),
    },
  };
  return isActive ? [name, text] : [name];
}

/** The put of the product's own row. */
export function productItem(product: Product, version: number) {
  return { ...productKey(product.organizationId, product.id), ...v.parse(productSchema, product), version };
}

/** What happens to the lean rows when a product comes (`before` null), changes, or goes (`after` null). */
export function leanRowChanges(before: Product | null, after: Product | null): TransactItem[] {
  const old = before ? rowsOf(before) : [];
  const fresh = after ? rowsOf(after) : [];
  const written = fresh.filter((row) => !old.some((other) => isSame(row, other)));
  const vanished = old.filter(({ key }) => !fresh.some((row) => row.key.pk === key.pk));
  return [
    ...written.map(({ key, attributes }) => ({ Put: { TableName: TABLE_NAME, Item: { ...key, ...attributes } } })),
    ...vanished.map(({ key }) => ({ Delete: { TableName: TABLE_NAME, Key: key } })),
  ];
}

function isSame(one: Row, other: Row): boolean {
  const names = Object.keys(one.attributes);
  return one.key.pk === other.key.pk && names.every((name) => one.attributes[name] === other.attributes[name]);
}
