import * as v from 'valibot';
import { batchGet } from '#shared/data/dynamo/batch.ts';
import { countChange } from '#shared/data/dynamo/counts.ts';
import { TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { readItem } from '#shared/data/dynamo/item.ts';
import { productKey } from '#shared/data/dynamo/keys.ts';
import { type TransactItem, transact } from '#shared/data/dynamo/transaction.ts';
import { unchangedSince, type Versioned, withFreshVersion } from '#shared/data/dynamo/versioned.ts';
import { notFound } from '#shared/domain/problems.ts';
import type { Product } from '#shared/domain/products/product.ts';
import { leanRowChanges, productFrom, productItem } from './product-rows.ts';

/** Products in the table; `product-list.ts` has their lists. The count also counts active products by themselves. */

const versioned = v.object({ version: v.number() });

type StoredProduct = Product & Versioned;

/** @throws Problem `not_found` */
export async function readProduct(organizationId: string, id: string): Promise<StoredProduct> {
  const item = await readItem(productKey(organizationId, id));
  if (!item) throw notFound();
  return { ...productFrom(item), ...v.parse(versioned, item) };
}

export async function insertProduct(product: Product): Promise<void> {
  const Item = productItem(product, 1);
  await transact([
    { Put: { TableName: TABLE_NAME, Item, ConditionExpression: 'attribute_not_exists(pk)' } },
    ...leanRowChanges(null, product),
    countChange(product.organizationId, 'PRODUCT', { all: 1, active: 1 }),
  ]);
}

/**
 * Applies a change to the present product, even if another request changes the product at the same moment.
 *
 * @throws Problem `not_found` when the product was deleted meanwhile
 */
export async function changeProduct(product: StoredProduct, change: (current: Product) => Product): Promise<Product> {
  return withFresh(product, async (current) => {
    const changed = change(current);
    if (changed !== current) await replace(current, changed);
    return changed;
  });
}

/** Always a transaction: only `transact` retries conflicts with invoices that update `usageCount`. */
async function replace(current: StoredProduct, changed: Product): Promise<void> {
  const put = { TableName: TABLE_NAME, Item: productItem(changed, current.version + 1), ...unchangedSince(current) };
  const others = leanRowChanges(current, changed);
  if (changed.isActive !== current.isActive) {
    others.push(countChange(current.organizationId, 'PRODUCT', { active: changed.isActive ? 1 : -1 }));
  }
  await transact([{ Put: put }, ...others]);
}

/** The products with these ids that the organization owns. */
export async function findProducts(organizationId: string, ids: readonly string[]): Promise<Map<string, Product>> {
  const items = await batchGet([...new Set(ids)].map((id) => productKey(organizationId, id)));
  return new Map(items.map(productFrom).map((product) => [product.id, product]));
}

/** For the transaction that copies products onto invoice lines. @param ids one for each line */
export function usageIncreases(organizationId: string, ids: readonly string[]): TransactItem[] {
  return [...Map.groupBy(ids, (id) => id)].map(([id, lines]) => ({
    Update: {
      TableName: TABLE_NAME,
      Key: productKey(organizationId, id),
      UpdateExpression: 'ADD usageCount :lines, version :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':lines': lines.length, ':one': 1 },
    },
  }));
}

/** @throws Problem `not_found` when the product was deleted meanwhile */
export async function removeProduct(product: StoredProduct): Promise<void> {
  await withFresh(product, (current) => {
    const Key = productKey(current.organizationId, current.id);
    return transact([
      { Delete: { TableName: TABLE_NAME, Key, ...unchangedSince(current) } },
      ...leanRowChanges(current, null),
      countChange(current.organizationId, 'PRODUCT', { all: -1, active: current.isActive ? -1 : 0 }),
    ]);
  });
}

function withFresh<T>(product: StoredProduct, write: (current: StoredProduct) => Promise<T>): Promise<T> {
  return withFreshVersion(product, () => readProduct(product.organizationId, product.id), write);
}
