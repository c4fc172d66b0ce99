/** Preparing and committing. This is for the table only: an index is written once, even in a transaction. */
export const UNITS_IN_TRANSACTION = 2;

const BYTES_PER_WRITE_UNIT = 1_024;

export function writeUnitsOf(item: object): number {
  return Math.max(1, Math.ceil(sizeOf(item) / BYTES_PER_WRITE_UNIT));
}

/**
 * The bytes of names and values, close to DynamoDB's own rules: a number takes a byte for two digits, and a list or map
 * takes three.
 */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number' || typeof value === 'bigint') return Math.ceil(String(value).length / 2) + 1;
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return value.reduce((sum, each) => sum + 1 + sizeOf(each), 3);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce((sum, [name, each]) => sum + Buffer.byteLength(name) + sizeOf(each), 3);
}
