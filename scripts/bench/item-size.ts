/** How large an item is in DynamoDB, and so what it costs to write. */

const BYTES_PER_WRITE_UNIT = 1_024;

/**
 * An item takes a unit for each kilobyte begun. In a transaction it takes twice as many: to prepare and to commit.
 */
export function writeUnitsOf(item: object): number {
  return Math.max(1, Math.ceil(sizeOf(item) / BYTES_PER_WRITE_UNIT));
}

/** This factor is for the table only: an index is written once, even in a transaction. */
export const UNITS_IN_TRANSACTION = 2;

/**
 * The bytes of names and values, close to DynamoDB's own rules: a number takes a byte for two digits, and a
 * list or map takes three.
 */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number' || typeof value === 'bigint') return Math.ceil(String(value).length / 2) + 1;
  if (Array.isArray(value)) return value.reduce((sum, each) => sum + 1 + sizeOf(each), 3);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce((sum, [name, each]) => sum + Buffer.byteLength(name) + sizeOf(each), 3);
}
