import * as v from 'valibot';
import type { Key } from '#shared/data/layout/keys.ts';
import { readItems } from '#shared/data/table/batch.ts';
import { pack, unpack } from '#shared/data/table/packed.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { put } from '#shared/data/table/writes.ts';

/** Values that are too long for lists and indexes lie packed in items of their own. */

type KeyOfPart = (part: number) => Key;

export async function packedPuts(value: unknown, keyOf: KeyOfPart): Promise<TransactItem[]> {
  const parts = await pack(value);
  return parts.map((packed, part) => put({ ...keyOf(part), packed }));
}

const row = v.object({ packed: v.instance(Uint8Array) });

/** @returns undefined when another state has replaced it */
export async function readPacked(keys: readonly Key[]): Promise<unknown> {
  const rows = keys.map(await readItems(keys));
  return rows.includes(undefined) ? undefined : unpack(rows.map((item) => v.parse(row, item).packed));
}

export const partKeys = (count: number, keyOf: KeyOfPart): Key[] => Array.from({ length: count }, (_, i) => keyOf(i));

/** A page of a hundred such documents fits into a response many times over. */
const MAX_INLINE_BYTES = 8_000;

export const liesInline = (lines: unknown): boolean => Buffer.byteLength(JSON.stringify(lines)) <= MAX_INLINE_BYTES;
