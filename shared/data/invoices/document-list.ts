import { FILTERED_ATTRIBUTES, type Key } from '#shared/data/layout/keys.ts';
import { readItems } from '#shared/data/table/batch.ts';
import { allOf, type Filter, lookThrough, searchBound } from '#shared/data/table/collection.ts';
import type { LeanRow } from '#shared/data/table/lean-rows.ts';
import { readPage } from '#shared/data/table/offset-page.ts';
import type { Item } from '#shared/data/table/query.ts';
import { type OrderedList, readConnection } from '#shared/data/table/relay-page.ts';
import type { CursorPage, Listed, Slice, Window } from '#shared/domain/page.ts';

/**
 * Lists of invoices and of credit notes. A filter looks through lean rows, and an order through an index as lean: a head
 * has texts of up to some kilobytes, so only those of the page are read, as they are by then. Only `q` has to look into
 * the heads.
 */

/** A change of the head writes it again only if this differs. */
export function filteredRow(key: Key, head: object): LeanRow {
  const filtered = Object.entries(head).filter(([name, value]) => FILTERED_ATTRIBUTES.includes(name) && value !== null);
  return { ...key, ...Object.fromEntries(filtered) };
}

interface Documents {
  /** Partition of the documents themselves */
  readonly partition: string;
  /** The partition of the lean rows. */
  readonly rows: string;
  readonly search?: Pick<OrderedList, 'join'> & { readonly filter: Filter };
  /** Filter on attributes of lean rows */
  readonly filter?: Filter;
  /** Sort keys in the table. */
  readonly between?: OrderedList['between'];
  readonly total: () => Promise<number>;
}

/** @throws Problem `range_too_large` */
export async function readDocumentPage<Document>(
  { partition, rows, search, filter, between, total, ...window }: Documents & Slice,
  fromHead: (head: Item) => Document,
): Promise<Listed<Document>> {
  if (search) {
    const matching = { filter: allOf(search.filter, filter), between, join: search.join, bound: searchBound() };
    return readPage({ partition, ...matching, ...window }, fromHead);
  }
  if (!filter && !between) return readPage({ partition, rows, total, ...window }, fromHead);
  const found = await readPage({ partition: rows, filter, between, ...window }, headKey(partition));
  const heads = found.items.map(await readItems(found.items));
  return { ...found, items: heads.filter((head) => head !== undefined).map(fromHead) };
}

type DocumentConnection = Documents & Omit<OrderedList, 'join' | 'bound'>;

/** @throws Problem `range_too_large`, and those of `readConnection` */
export async function readDocumentConnection<Document>(
  { partition, rows, search, ...list }: DocumentConnection,
  window: Window,
  fromHead: (head: Item) => Document,
): Promise<CursorPage<Document>> {
  const found = search && (await readMatching(partition, search));
  const join = found && ((items: readonly Item[]) => items.filter(({ sk }) => found.has(sk)));
  const place = list.index === undefined ? rows : partition;
  const connection = await readConnection({ ...list, partition: place, join }, window, headKey(partition));
  const headOf = await readItems(connection.edges.map(({ node }) => node));
  const edges = connection.edges.flatMap(({ cursor, node }) => {
    const head = headOf(node);
    return head ? [{ cursor, node: fromHead(head) }] : [];
  });
  return { ...connection, edges };
}

/** @returns the sort keys, which heads share with their rows */
async function readMatching(partition: string, { filter, join }: NonNullable<Documents['search']>) {
  const found = new Set<unknown>();
  await lookThrough({ partition, filter, join, bound: searchBound() }, (heads) => {
    for (const { sk } of heads) found.add(sk);
  });
  return found;
}

/** The key of the head that a row, in the table or in an index, belongs to. A head that was deleted since is not found. */
const headKey =
  (partition: string) =>
  ({ sk }: Item): Key => ({ pk: partition, sk: String(sk) });
