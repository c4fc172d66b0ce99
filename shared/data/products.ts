import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { product as productSchema } from '#shared/contract/products.ts';
import { notFound } from '#shared/domain/problems.ts';
import type { Product } from '#shared/domain/product.ts';
import { fold } from '#shared/domain/text.ts';
import { database, TABLE_NAME } from './client.ts';
import { type Filter, readCollection } from './collection.ts';
import { productCountKey, productKey, productPartition } from './table.ts';
import { ConditionFailed, transact } from './transaction.ts';

/**
 * Products in the table. Beside its fields an item holds its searchable fields in folded form, so that DynamoDB does the filtering and only
 * matches travel, and a `version`, so that of two concurrent changes the second starts from the first's outcome. A count item
 * beside the collection, written in the same transactions, spares lists from reading everything for `meta.total`.
 */

const stored = v.object({ ...productSchema.entries, version: v.number() });

type StoredProduct = Product & { readonly version: number };

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** @throws Problem `not_found` */
export async function getProduct(organizationId: string, id: string): Promise<StoredProduct> {
  const { Item } = await database.send(
    new GetCommand({ TableName: TABLE_NAME, Key: productKey(organizationId, id), ConsistentRead: true }),
  );
  if (!Item) throw notFound();
  return v.parse(stored, Item);
}

export async function insertProduct(product: Product): Promise<void> {
  await transact([
    { Put: { TableName: TABLE_NAME, Item: toItem(product, 1), ConditionExpression: 'attribute_not_exists(pk)' } },
    countChange(product.organizationId, { all: 1, active: 1 }),
  ]);
}

/**
 * Applies a change to the product as it is now, also when another request changes it at the same moment.
 *
 * @throws Problem `not_found` when it was deleted meanwhile
 */
export async function changeProduct(product: StoredProduct, change: (current: Product) => Product): Promise<Product> {
  return withFreshProduct(product, async (current) => {
    const changed = change(current);
    if (changed !== current) await replace(current, changed);
    return changed;
  });
}

/** @throws Problem `not_found` when it was deleted meanwhile */
export async function deleteProduct(product: StoredProduct): Promise<void> {
  await withFreshProduct(product, (current) =>
    transact([
      {
        Delete: {
          TableName: TABLE_NAME,
          Key: productKey(current.organizationId, current.id),
          ...unchangedSince(current),
        },
      },
      countChange(current.organizationId, { all: -1, active: current.isActive ? -1 : 0 }),
    ]),
  );
}

interface ListRequest {
  readonly organizationId: string;
  readonly q?: string;
  readonly includeInactive: boolean;
  readonly limit: number;
  readonly offset: number;
}

interface ProductPage {
  readonly items: Product[];
  readonly total: number;
}

/** Without `q` the count item gives the total, and reading stops where the page ends. */
export async function listProducts({
  organizationId,
  q,
  includeInactive,
  limit,
  offset,
}: ListRequest): Promise<ProductPage> {
  const partition = productPartition(organizationId);
  const active = includeInactive ? undefined : ACTIVE;
  if (q) {
    const matches = await readCollection({ partition, filter: both(active, contains(q, ['foldedName'])) });
    return pageOf(matches, matches.length, offset, limit);
  }
  const [items, count] = await Promise.all([
    readCollection({ partition, filter: active, upTo: offset + limit }),
    readCount(organizationId),
  ]);
  return pageOf(items, includeInactive ? count.all : count.active, offset, limit);
}

export async function searchProducts(
  request: Omit<ListRequest, 'includeInactive'> & { readonly q: string },
): Promise<ProductPage> {
  const filter = both(ACTIVE, contains(request.q, ['foldedName', 'foldedDescription', 'foldedSku', 'foldedCategory']));
  const matches = await readCollection({ partition: productPartition(request.organizationId), filter });
  return pageOf(matches, matches.length, request.offset, request.limit);
}

const ACTIVE: Filter = { expression: 'isActive = :active', values: { ':active': true } };

function contains(q: string, fields: readonly string[]): Filter {
  const expression = fields.map((field) => `contains(${field}, :q)`).join(' OR ');
  return { expression: `(${expression})`, values: { ':q': fold(q) } };
}

function both(first: Filter | undefined, second: Filter): Filter {
  if (!first) return second;
  return { expression: `${first.expression} AND ${second.expression}`, values: { ...first.values, ...second.values } };
}

function pageOf(items: readonly unknown[], total: number, offset: number, limit: number): ProductPage {
  return { items: items.slice(offset, offset + limit).map((item) => v.parse(productSchema, item)), total };
}

async function readCount(organizationId: string): Promise<{ all: number; active: number }> {
  const { Item } = await database.send(
    new GetCommand({ TableName: TABLE_NAME, Key: productCountKey(organizationId), ConsistentRead: true }),
  );
  return { all: Number(Item?.all ?? 0), active: Number(Item?.active ?? 0) };
}

/** Runs a write that demands the version it starts from, and starts again from the present one when somebody was faster. */
async function withFreshProduct<T>(product: StoredProduct, write: (current: StoredProduct) => Promise<T>): Promise<T> {
  for (let current = product; ; current = await getProduct(product.organizationId, product.id)) {
    try {
      return await write(current);
    } catch (error) {
      if (!(error instanceof ConditionFailed || error instanceof ConditionalCheckFailedException)) throw error;
    }
  }
}

/** The count changes only with `isActive`, and a lone put is cheaper than a transaction. */
async function replace(current: StoredProduct, changed: Product): Promise<void> {
  const put = { TableName: TABLE_NAME, Item: toItem(changed, current.version + 1), ...unchangedSince(current) };
  if (changed.isActive === current.isActive) await database.send(new PutCommand(put));
  else
    await transact([{ Put: put }, countChange(current.organizationId, { all: 0, active: changed.isActive ? 1 : -1 })]);
}

function unchangedSince({ version }: StoredProduct) {
  return { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } };
}

function countChange(organizationId: string, change: { all: number; active: number }): TransactItem {
  return {
    Update: {
      TableName: TABLE_NAME,
      Key: productCountKey(organizationId),
      UpdateExpression: 'ADD #all :all, active :active',
      ExpressionAttributeNames: { '#all': 'all' },
      ExpressionAttributeValues: { ':all': change.all, ':active': change.active },
    },
  };
}

function toItem(product: Product, version: number) {
  return {
    ...productKey(product.organizationId, product.id),
    ...v.parse(productSchema, product),
    version,
    foldedName: fold(product.name),
    foldedDescription: fold(product.description),
    foldedSku: fold(product.sku ?? ''),
    foldedCategory: fold(product.category ?? ''),
  };
}
