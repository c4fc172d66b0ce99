import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { entryMetadataKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { metadata as storedMetadata } from '#shared/data/table/members.ts';
import type { Write } from '#shared/data/table/transaction.ts';
import { put, remove } from '#shared/data/table/writes.ts';
import { hasAny, type Metadata } from '#shared/domain/metadata.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';

/**
 * The metadata of an entry have an item of their own: whoever looks through thousands of entries would otherwise read ten
 * times as much. The entry tells whether it has some, and others cost nothing. Each change of them changes its version.
 */

const item = v.object({ entryId: v.string(), metadata: storedMetadata });

export interface WithMetadata {
  readonly id?: string;
  readonly hasMetadata?: boolean;
}

/** @returns by entry; an entry without any is missing */
export async function readMetadata(
  organizationId: string,
  entries: readonly WithMetadata[],
): Promise<Map<string, Metadata>> {
  const keys = entries.flatMap(({ id, hasMetadata }) =>
    id && hasMetadata ? entryMetadataKey(organizationId, id) : [],
  );
  const items = v.parse(v.array(item), await batchGet(keys));
  return new Map(items.map(({ entryId, metadata }) => [entryId, metadata]));
}

/** For the transaction that writes the entry. */
export function metadataWrites(
  { organizationId, id: entryId }: Pick<Entry, 'organizationId' | 'id'>,
  before: Metadata,
  after: Metadata,
): Write[] {
  if (isDeepStrictEqual(before, after)) return [];
  const key = entryMetadataKey(organizationId, entryId);
  const own = { ...key, entryId, metadata: JSON.stringify(after) };
  return [hasAny(after) ? put(own, v.parser(item)) : remove(key)];
}
