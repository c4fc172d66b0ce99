import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Listed } from '#shared/contract/pagination.ts';
import { product as productSchema } from '#shared/contract/products.ts';
import { notFound } from '#shared/domain/problems.ts';
import type { Product } from '#shared/domain/product.ts';
import { batchGet } from './batch.ts';
import { database, TABLE_NAME } from './client.ts';
import { contains, type Filter, type Item, readCollection } from './collection.ts';
import { countChange, readCount } from './counts.ts';
import { leanRowChanges, productItem } from './product-rows.ts';
import { type ProductState, productKey, productNamePartition, productTextPartitions } from './table.ts';
import { type TransactItem, transact } from './transaction.ts';
import { unchangedSince, type Versioned, withFreshVersion } from './versioned.ts';

/**
 * Products in the table. Lists and searches find ids in lean rows (`product-rows.ts`) and then read only the products of their page. The collection counts
 * its active products too.
 */

const stored = v.object({ ...productSchema.entries, version: v.number() });

type StoredProduct = Product & Versioned;

/** @throws Problem `not_found` */
export async function getProduct(organizationId: string, id: string): Promise<StoredProduct> {
  const { Item } = await database.send(
    new GetCommand({ TableName: TABLE_NAME, Key: productKey(organizationId, id), ConsistentRead: true }),
  );
  if (!Item) throw notFound();
  return v.parse(stored, Item);
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
 * Applies a change to the product as it is now, also when another request changes it at the same moment.
 *
 * @throws Problem `not_found` when it was deleted meanwhile
 */
export async function changeProduct(product: StoredProduct, change: (current: Product) => Product): Promise<Product> {
  return withFresh(product, async (current) => {
    const changed = change(current);
    if (changed !== current) await replace(current, changed);
    return changed;
  });
}

/** Always a transaction, also where it is one put alone: an invoice that copies the product counts so in a transaction, and only `transact` waits for it. */
async function replace(current: StoredProduct, changed: Product): Promise<void> {
  const put = { TableName: TABLE_NAME, Item: productItem(changed, current.version + 1), ...unchangedSince(current) };
  const others = leanRowChanges(current, changed);
  if (changed.isActive !== current.isActive) {
    others.push(countChange(current.organizationId, 'PRODUCT', { active: changed.isActive ? 1 : -1 }));
  }
  await transact([{ Put: put }, ...others]);
}

/** The products of some ids that the organization owns. */
export async function findProducts(organizationId: string, ids: readonly string[]): Promise<Map<string, Product>> {
  const items = await batchGet([...new Set(ids)].map((id) => productKey(organizationId, id)));
  return new Map(items.map((item) => v.parse(productSchema, item)).map((product) => [product.id, product]));
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

/** @throws Problem `not_found` when it was deleted meanwhile */
export async function deleteProduct(product: StoredProduct): Promise<void> {
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
  return withFreshVersion(product, () => getProduct(product.organizationId, product.id), write);
}

interface PageRequest {
  readonly organizationId: string;
  readonly limit: number;
  readonly offset: number;
}

interface ListRequest extends PageRequest {
  readonly q?: string;
  readonly includeInactive: boolean;
}

/** Without `q` the count item gives the total; the names are then read from the nearer end, and only as far as the page. */
export async function listProducts({ q, includeInactive, ...page }: ListRequest): Promise<Listed<Product>> {
  const { organizationId, offset, limit } = page;
  const partitions = STATES.filter((state) => includeInactive || state === 'ACTIVE').map((state) =>
    productNamePartition(organizationId, state),
  );
  if (q) return pageOfMatches(page, await idsOf(partitions, { filter: contains(q, ['foldedName']) }));
  const total = await readCount(organizationId, 'PRODUCT', includeInactive ? 'all' : 'active');
  const size = Math.min(limit, total - offset);
  if (size <= 0) return { items: [], total };
  const isNearerToOldest = total - offset < offset + size;
  const ids = await idsOf(
    partitions,
    isNearerToOldest ? { direction: 'asc', upTo: total - offset } : { upTo: offset + size },
  );
  const start = isNearerToOldest ? Math.max(0, ids.length - (total - offset)) : offset;
  return { items: await productsOf(organizationId, ids.slice(start, start + size)), total };
}

const STATES: readonly ProductState[] = ['ACTIVE', 'INACTIVE'];

export async function searchProducts({ q, ...page }: PageRequest & { readonly q: string }): Promise<Listed<Product>> {
  const filter = contains(q, ['foldedName', 'foldedDescription', 'foldedSku', 'foldedCategory']);
  return pageOfMatches(page, await idsOf(productTextPartitions(page.organizationId), { filter }));
}

interface IdReading {
  readonly filter?: Filter;
  readonly direction?: 'asc' | 'desc';
  readonly upTo?: number;
}

/** Ids from some partitions at once, newest first: they are UUIDs v7, and so sort by creation. */
async function idsOf(partitions: readonly string[], reading: IdReading): Promise<string[]> {
  const rows = await Promise.all(
    partitions.map((partition) => readCollection({ partition, attributes: ['sk'], ...reading })),
  );
  const newestFirst = rows.flat().map(idOf).sort().reverse();
  return reading.direction === 'asc' ? newestFirst.slice(-(reading.upTo ?? 0)) : newestFirst;
}

function idOf(row: Item): string {
  return v.parse(v.string(), row.sk);
}

async function pageOfMatches(
  { organizationId, offset, limit }: PageRequest,
  ids: readonly string[],
): Promise<Listed<Product>> {
  return { items: await productsOf(organizationId, ids.slice(offset, offset + limit)), total: ids.length };
}

/** The products of some ids, in their order, but for those that were deleted a moment ago. */
async function productsOf(organizationId: string, ids: readonly string[]): Promise<Product[]> {
  const byId = await findProducts(organizationId, ids);
  return ids.flatMap((id) => byId.get(id) ?? []);
}
