import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import * as v from 'valibot';
import type { Key } from '#shared/data/layout/keys.ts';
import { readItems } from './batch.ts';
import type { TransactItem } from './transaction.ts';
import { put } from './writes.ts';

/** Values that are too long for an item, or for lists and indexes, lie packed in items of their own. */

/** An item holds 400 KB; the rest is for the keys. */
const PART_BYTES = 390_000;

const [compress, decompress] = [promisify(zstdCompress), promisify(zstdDecompress)];

/** Texts take a tenth less than gzipped, in a quarter of the time. Higher levels take more for words that seldom recur. */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 2 } };

export async function pack(value: unknown): Promise<Uint8Array[]> {
  const bytes = await compress(JSON.stringify(value), FAST);
  const count = Math.ceil(bytes.length / PART_BYTES);
  return Array.from({ length: count }, (_, part) => bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
}

export async function unpack(parts: readonly Uint8Array[]): Promise<unknown> {
  return JSON.parse((await decompress(Buffer.concat(parts))).toString());
}

type KeyOfPart = (part: number) => Key;

const item = v.object({ packed: v.instance(Uint8Array) });

/** @param read as its room reads the value; throws where it cannot be read */
export async function packedPuts<Value>(
  value: Value,
  read: (value: Value) => unknown,
  keyOf: KeyOfPart,
): Promise<TransactItem[]> {
  read(value);
  const parts = await pack(value);
  return parts.map((packed, part) => put({ ...keyOf(part), packed }, v.parser(item)));
}

/** @returns undefined when another state has replaced it */
export async function readPacked(keys: readonly Key[]): Promise<unknown> {
  const parts = keys.map(await readItems(keys));
  return parts.includes(undefined) ? undefined : unpack(parts.map((part) => v.parse(item, part).packed));
}

export const partKeys = (count: number, keyOf: KeyOfPart): Key[] => Array.from({ length: count }, (_, i) => keyOf(i));

/** A page of a hundred items that hold such values fits into a response many times over. */
const MAX_INLINE_BYTES = 8_000;

export const liesInline = (value: unknown): boolean => Buffer.byteLength(JSON.stringify(value)) <= MAX_INLINE_BYTES;
