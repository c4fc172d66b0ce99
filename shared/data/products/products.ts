import * as v from 'valibot';
import { externalIdWrites } from '#shared/data/external-ids/external-ids.ts';
import { countKey, productKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { requireItem } from '#shared/data/table/item.ts';
import { increase } from '#shared/data/table/sums.ts';
import { type TransactItem, transact, type Write } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/table/versioned.ts';
import { change, EXISTS, IS_ABSENT, put, remove, update } from '#shared/data/table/writes.ts';
import type { Product } from '#shared/domain/products/product.ts';
import { changedProductItem, leanRowChanges, productFrom, productItem } from './product-rows.ts';

const versioned = v.object({ version: v.number(), product: v.string() });

/** @property json as it lies in the table */
type StoredProduct = Product & Versioned & { readonly json: string };

/** @throws Problem `not_found` */
export async function readProduct(organizationId: string, id: string): Promise<StoredProduct> {
  const item = await requireItem(productKey(organizationId, id));
  const { version, product: json } = v.parse(versioned, item);
  return { ...productFrom(item), version, json };
}

/** @throws Problem `external_id_taken` */
export async function insertProduct(product: Product, others: readonly Write[] = []): Promise<void> {
  await transact([
    put(productItem(product), productFrom, IS_ABSENT),
    ...leanRowChanges(null, product),
    ...externalIdWrites('PRODUCT', null, product),
    increase(countKey(product.organizationId, 'PRODUCT'), { all: 1, active: 1 }),
    ...others,
  ]);
}

/**
 * Always a transaction: only `transact` retries conflicts with invoices that update `usageCount`.
 *
 * @throws Problem `external_id_taken`; ConditionFailed
 */
export async function saveProduct(before: StoredProduct, after: Product, others: readonly Write[]): Promise<void> {
  if (after === before) return;
  const isToggled = after.isActive !== before.isActive;
  const count = increase(countKey(before.organizationId, 'PRODUCT'), { active: after.isActive ? 1 : -1 });
  await transact([
    change(productItem(before), changedProductItem(before, after, before.json), productFrom, unchangedSince(before)),
    ...leanRowChanges(before, after),
    ...externalIdWrites('PRODUCT', before, after),
    ...(isToggled ? [count] : []),
    ...others,
  ]);
}

export async function findProducts(organizationId: string, ids: readonly string[]): Promise<Map<string, Product>> {
  const items = await batchGet([...new Set(ids)].map((id) => productKey(organizationId, id)));
  return new Map(items.map(productFrom).map((product) => [product.id, product]));
}

/** For the transaction that copies products onto invoice lines. @param ids one for each line */
export function usageIncreases(organizationId: string, ids: readonly string[]): TransactItem[] {
  return [...Map.groupBy(ids, (id) => id)].map(([id, lines]) =>
    update(productKey(organizationId, id), {
      UpdateExpression: 'SET version = :version ADD usageCount :lines',
      ...EXISTS,
      ExpressionAttributeValues: { ':lines': lines.length, ':version': newVersion() },
    }),
  );
}

/** @throws ConditionFailed */
export async function removeProduct(product: StoredProduct, others: readonly Write[]): Promise<void> {
  const { organizationId, id, isActive } = product;
  await transact([
    remove(productKey(organizationId, id), unchangedSince(product)),
    ...leanRowChanges(product, null),
    ...externalIdWrites('PRODUCT', product, null),
    increase(countKey(organizationId, 'PRODUCT'), { all: -1, active: isActive ? -1 : 0 }),
    ...others,
  ]);
}
