/** What an item weighs in DynamoDB, and so what it costs to write. */

const BYTES_PER_WRITE_UNIT = 1_024;

/** An item takes a unit for each kilobyte begun. In a transaction it takes twice as many: to prepare, and to commit. */
export function writeUnitsOf(item: object): number {
  return Math.max(1, Math.ceil(sizeOf(item) / BYTES_PER_WRITE_UNIT));
}

/** An index is written once, also from a transaction. */
export const UNITS_IN_TRANSACTION = 2;

/** Names and values in bytes, near enough to DynamoDB's own rules: a number takes a byte for two digits, a list or map three. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number' || typeof value === 'bigint') return Math.ceil(String(value).length / 2) + 1;
  if (Array.isArray(value)) return value.reduce((sum, each) => sum + 1 + sizeOf(each), 3);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce((sum, [name, each]) => sum + Buffer.byteLength(name) + sizeOf(each), 3);
}
