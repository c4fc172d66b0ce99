import { createHash } from 'node:crypto';

/**
 * A cursor holds the sort key of a row, never an offset, so it keeps its place when rows come and go, even its own row.
 * A digest detects a broken cursor, and that of another list. It guards no secret: a cursor only becomes a bound within
 * the caller's own partition.
 */

const DIGEST_BYTES = 12;

/** DynamoDB's own limit. */
const MAX_SORT_KEY_BYTES = 1_024;

/** @param list a text that differs for every list, order, direction, filter and organization */
export function encodeCursor(list: string, sortKey: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([list, sortKey]))
    .digest()
    .subarray(0, DIGEST_BYTES);
  return Buffer.concat([digest, Buffer.from(sortKey)]).toString('base64url');
}

/** @returns undefined when the cursor was not made for this list */
export function decodeCursor(list: string, cursor: string): string | undefined {
  const key = Buffer.from(cursor, 'base64url').subarray(DIGEST_BYTES);
  const sortKey = key.toString();
  const isKey = key.length > 0 && key.length <= MAX_SORT_KEY_BYTES;
  return isKey && encodeCursor(list, sortKey) === cursor ? sortKey : undefined;
}
