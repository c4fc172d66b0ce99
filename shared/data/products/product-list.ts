import * as v from 'valibot';
import { rangeOfHolder } from '#shared/data/external-ids/external-ids.ts';
import {
  countKey,
  productNamePartition,
  productPartition,
  productTextPartition,
  productTextPrefixes,
} from '#shared/data/layout/keys.ts';
import {
  type Bound,
  contains,
  type Filter,
  findByPrefix,
  findInCollection,
  readCollection,
  readFirst,
  type ScannedItems,
  searchBound,
  startOf,
} from '#shared/data/table/collection.ts';
import { countIn, readCount, readRecentCount } from '#shared/data/table/counts.ts';
import type { Item } from '#shared/data/table/query.ts';
import type { Listed, Slice } from '#shared/domain/page.ts';
import type { Product } from '#shared/domain/products/product.ts';
import { PRODUCT_ATTRIBUTES, productFrom } from './product-rows.ts';
import { findProducts } from './products.ts';

/** A page is a range of the products' own rows, newest first. Lean rows (`product-rows.ts`) tell where it begins. */

interface PageRequest extends Slice {
  readonly pay?: (products: number) => Promise<void>;
  readonly organizationId: string;
}

interface ListRequest extends PageRequest {
  readonly includeInactive: boolean;
}

interface Wanted extends ListRequest {
  readonly q?: string;
  readonly externalId?: string;
}

export function readProducts({ q, externalId, ...request }: Wanted): Promise<Listed<Product>> {
  if (externalId !== undefined) return listByExternalId(request, externalId, q);
  if (q) return listByName(request, q);
  return request.offset === 0 ? firstPage(request) : laterPage(request);
}

export async function readMatchingProducts({
  q,
  ...page
}: PageRequest & { readonly q: string }): Promise<Listed<Product>> {
  const filter = contains(q, ['foldedText']);
  const partition = productTextPartition(page.organizationId);
  await page.pay?.(await readRecentCount(...countOf({ ...page, includeInactive: false })));
  return pageOfMatches(page, await findByPrefix({ partition, filter, attributes: ['sk'] }, productTextPrefixes));
}

/** An inactive product too: who looks for this very product wants to know that it is there. */
async function listByExternalId(request: ListRequest, externalId: string, q: string | undefined) {
  const between = await rangeOfHolder(request.organizationId, 'PRODUCT', externalId);
  const filter = q ? contains(q, ['foldedName']) : undefined;
  const names = { ...namesOf({ ...request, includeInactive: true }), between, filter };
  return pageOfMatches(request, await findInCollection(names));
}

async function listByName(request: ListRequest, q: string): Promise<Listed<Product>> {
  const filter = contains(q, ['foldedName']);
  await request.pay?.(await readRecentCount(...countOf(request)));
  return pageOfMatches(request, await findInCollection({ ...namesOf(request), filter, bound: searchBound() }));
}

/** The count lies before the newest product, so one request finds both. */
async function firstPage(request: ListRequest): Promise<Listed<Product>> {
  const [counts, ...rows] = await readRows(request, 1 + request.limit);
  return completed(request, countIn(counts, countName(request)), { rows });
}

/** A page within the first 100 products is read in one go: finding its beginning first would take another request. */
const SHALLOW = 100;

/** The count is read first: behind the end there is nothing to read. */
async function laterPage(request: ListRequest): Promise<Listed<Product>> {
  const { offset, limit } = request;
  const total = await readCount(...countOf(request));
  if (offset >= total) return { items: [], total };
  if (offset + limit <= SHALLOW) {
    const [, ...rows] = await readRows(request, 1 + offset + limit);
    return completed(request, total, { rows, skip: offset });
  }
  const start = await startOf({ partition: namesOf(request).partition }, offset, total);
  if (!start) return { items: [], total };
  return completed(request, total, { rows: await readRows(request, limit, start), start });
}

/** The share of a page that is read on top, because inactive products may lie in between. */
const SPARE = 0.2;

const ACTIVE_OR_COUNTS: Filter = { expression: 'NOT isActive = :inactive', values: { ':inactive': false } };

/** Without `behind`, the first row is that of the counts. */
function readRows(request: ListRequest, rows: number, behind?: Bound): Promise<Item[]> {
  const { organizationId, includeInactive } = request;
  const reading = {
    partition: productPartition(organizationId),
    attributes: [...PRODUCT_ATTRIBUTES, countName(request)],
    behind,
    filter: includeInactive ? undefined : ACTIVE_OR_COUNTS,
  };
  return readFirst(reading, includeInactive ? rows : Math.ceil(rows * (1 + SPARE)));
}

interface RowsFound {
  readonly rows: readonly Item[];
  readonly start?: Bound;
  readonly skip?: number;
}

/** The names tell which products a page lacks, if many inactive products lie in between, or products are very large. */
async function completed(
  request: ListRequest,
  total: number,
  { rows, start, skip = 0 }: RowsFound,
): Promise<Listed<Product>> {
  const { limit, offset } = request;
  const products = rows.slice(skip, skip + limit).map(productFrom);
  if (products.length >= Math.min(limit, total - offset)) return { items: products, total };
  const names = await readCollection({ ...namesOf(request), behind: start, upTo: skip + limit });
  return { items: await productsOf(request, names.slice(skip).map(idOf), products), total };
}

function namesOf({ organizationId, includeInactive }: ListRequest) {
  return { partition: productNamePartition(organizationId, includeInactive ? 'ALL' : 'ACTIVE'), attributes: ['sk'] };
}

const countOf = (request: ListRequest) => [countKey(request.organizationId, 'PRODUCT'), countName(request)] as const;

const countName = ({ includeInactive }: ListRequest): string => (includeInactive ? 'all' : 'active');

const UUID_LENGTH = 36;

function idOf(row: Item): string {
  return v.parse(v.string(), row.sk).slice(-UUID_LENGTH);
}

/** A range of rows costs an eighth of its products read one by one. It is read if at least this share of them match. */
const DENSE = 0.5;

async function pageOfMatches(request: PageRequest, { items, looked }: ScannedItems): Promise<Listed<Product>> {
  const { offset, limit } = request;
  const ids = items
    .map(idOf)
    .sort()
    .reverse()
    .slice(offset, offset + limit);
  const isDense = items.length >= looked * DENSE;
  const products = isDense ? await productsBetween(request, ids) : [];
  return { items: await productsOf(request, ids, products), total: items.length };
}

async function productsBetween({ organizationId }: PageRequest, ids: readonly string[]): Promise<Product[]> {
  const [newest, oldest] = [ids[0], ids.at(-1)];
  if (newest === undefined || oldest === undefined) return [];
  const between = { from: oldest, to: newest };
  const reading = { partition: productPartition(organizationId), attributes: PRODUCT_ATTRIBUTES, between };
  return (await readFirst(reading, Math.ceil(ids.length / DENSE))).map(productFrom);
}

/** In the order of the ids, without those that were deleted a moment ago. @param known some of them */
async function productsOf(
  { organizationId }: PageRequest,
  ids: readonly string[],
  known: readonly Product[],
): Promise<Product[]> {
  const byId = new Map(known.map((product) => [product.id, product]));
  const others = await findProducts(
    organizationId,
    ids.filter((id) => !byId.has(id)),
  );
  return ids.flatMap((id) => byId.get(id) ?? others.get(id) ?? []);
}
