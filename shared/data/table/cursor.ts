import { createHash } from 'node:crypto';

/**
 * Cursors of pages. A cursor holds the sort key of a row: its sort value and its id, never an offset. So a cursor keeps
 * its place when rows come and go, even its own row. In front of the sort key stands a digest of the key and of its
 * list. The digest detects a broken cursor, and a cursor of another list, order, filter or organization.
 *
 * The digest is no secret and guards none: a cursor only ever becomes a bound within the caller's own partition.
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

/** @returns the sort key, or undefined when the cursor was not made for this list */
export function decodeCursor(list: string, cursor: string): string | undefined {
  const key = Buffer.from(cursor, 'base64url').subarray(DIGEST_BYTES);
  const sortKey = key.toString();
  const isKey = key.length > 0 && key.length <= MAX_SORT_KEY_BYTES;
  return isKey && encodeCursor(list, sortKey) === cursor ? sortKey : undefined;
}
