import { isDeepStrictEqual } from 'node:util';
import type { Key } from '#shared/data/layout/keys.ts';
import type { TransactItem } from './transaction.ts';
import { put, remove, unread } from './writes.ts';

/** Rows beside an item have only what lists look through, so that ten thousand of them take little to read. */
export type LeanRow = Key & Readonly<Record<string, unknown>>;

/** Writes no row that stays as it is. */
export function rowChanges(old: readonly LeanRow[], fresh: readonly LeanRow[]): TransactItem[] {
  const written = fresh.filter((row) => !old.some((other) => isDeepStrictEqual(row, other)));
  const vanished = old.filter((row) => !fresh.some(({ pk, sk }) => pk === row.pk && sk === row.sk));
  return [...written.map((row) => put(row, unread)), ...vanished.map(({ pk, sk }) => remove({ pk, sk }))];
}
