import * as v from 'valibot';
import { deletedKey, deletedPartition } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { contains, readCollection, searchBound } from '#shared/data/table/collection.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { put } from '#shared/data/table/writes.ts';
import { foldText } from '#shared/domain/text.ts';
import { BoundedMap } from '#shared/runtime/bounded-map.ts';

/** Entries keep the name of a deleted client as their label. It never changes again, so a running function keeps it. */

const deleted = v.object({ id: v.string(), name: v.string() });

type Deleted = v.InferOutput<typeof deleted>;

const cached = new BoundedMap<string>(10_000);

const cacheKey = (organizationId: string, id: string): string => `${organizationId} ${id}`;

export async function readDeletedNames(organizationId: string, ids: Iterable<string>): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const unknown = new Set<string>();
  for (const id of ids) {
    const name = cached.get(cacheKey(organizationId, id));
    if (name === undefined) unknown.add(id);
    else names.set(id, name);
  }
  const items = await batchGet([...unknown].map((id) => deletedKey(organizationId, id)));
  for (const { id, name } of v.parse(v.array(deleted), items)) {
    cached.set(cacheKey(organizationId, id), name);
    names.set(id, name);
  }
  return names;
}

/** In any case of letters. @throws Problem `range_too_large` */
export async function findDeleted(organizationId: string, q: string): Promise<string[]> {
  const filter = contains(q, ['foldedName']);
  const found = await readCollection({ partition: deletedPartition(organizationId), filter, bound: searchBound('q') });
  return v.parse(v.array(deleted), found).map(({ id }) => id);
}

export function deletedPut(organizationId: string, { id, name }: Deleted): TransactItem {
  return put({ ...deletedKey(organizationId, id), id, name, foldedName: foldText(name) }, v.parser(deleted));
}
