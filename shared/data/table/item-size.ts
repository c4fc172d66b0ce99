/** Preparing and committing. This is for the table only: an index is written once, even in a transaction. */
export const UNITS_IN_TRANSACTION = 2;

const BYTES_PER_WRITE_UNIT = 1_024;

export function writeUnitsOf(item: object): number {
  return Math.ceil(sizeOfMembers(item, 0) / BYTES_PER_WRITE_UNIT);
}

/** In bytes, as DynamoDB reckons it: a number takes one byte, and one for two digits; a list or map takes three. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number' || typeof value === 'bigint') return Math.ceil(String(value).length / 2) + 1;
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return value.reduce((sum, each) => sum + 1 + sizeOf(each), 3);
  return typeof value === 'object' && value !== null ? 3 + sizeOfMembers(value, 1) : 1;
}

/** @param more bytes of each, beside its name and value */
function sizeOfMembers(object: object, more: number): number {
  return Object.entries(object).reduce((sum, [name, value]) => sum + more + Buffer.byteLength(name) + sizeOf(value), 0);
}
