import type { Listed, Slice } from '#shared/domain/page.ts';
import { type Filter, listBound, lookThrough, readCollection, startOf } from './collection.ts';
import type { Item } from './query.ts';
import type { ReadBound } from './read-bound.ts';

interface OffsetPage extends Slice {
  readonly partition: string;
  /** A partition of lean rows with the same sort keys, in which to find where a page begins. */
  readonly rows?: string;
  readonly filter?: Filter;
  /** Sort keys, without a total. */
  readonly between?: { readonly from: string; readonly to: string };
  readonly join?: (items: readonly Item[]) => Item[];
  /** Present where the matches are counted by looking through everything, and not by a total. */
  readonly bound?: ReadBound;
  /** Finds the rows that count, if a partition has others too. */
  readonly counted?: Filter;
  /** If no total is counted already, everything is looked through to count the matches. */
  readonly total?: () => Promise<number>;
}

/** A page so near to the newest is read with the rows before it: finding its beginning first takes a request more. */
const SHALLOW = 100;

/** @throws Problem `range_too_large` */
export async function readPage<T>(page: OffsetPage, fromItem: (item: Item) => T): Promise<Listed<T>> {
  const { filter, offset, total } = page;
  // The count alone answers an offset behind the end, and tells a filter where to stop.
  const known = offset > 0 || filter ? await total?.() : undefined;
  if (known !== undefined && offset >= known) return { items: [], total: known };
  if (!total) {
    const found = await pageOfMatches(page);
    return { items: found.items.map(fromItem), total: found.total };
  }
  const [items, counted] = await Promise.all([pageOfCounted(page, known), known ?? total()]);
  return { items: items.map(fromItem), total: counted };
}

async function pageOfMatches({ offset, limit, ...reading }: OffsetPage): Promise<Listed<Item>> {
  const items: Item[] = [];
  let total = 0;
  await lookThrough(reading, (matches) => {
    const from = Math.max(0, offset - total);
    items.push(...matches.slice(from, from + limit - items.length));
    total += matches.length;
  });
  return { items, total };
}

/** @param total undefined for a first page without a filter */
async function pageOfCounted(
  { partition, rows = partition, filter, join, counted, limit, offset }: OffsetPage,
  total = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const end = Math.min(offset + limit, total);
  if (filter || end <= SHALLOW || offset === 0) {
    return (await readCollection({ partition, filter, join, upTo: end, bound: listBound() })).slice(offset);
  }
  const behind = await startOf({ partition: rows, filter: counted }, offset, total);
  return behind ? readCollection({ partition, join, behind, upTo: limit }) : [];
}
