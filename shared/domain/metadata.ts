import { faulty } from './problems.ts';

/** Facts that other systems keep with an object: texts by name. Nothing here reads them. */
export type Metadata = Readonly<Record<string, string>>;

export const NO_METADATA: Metadata = {};

/** Null removes a name, and in place of the object all of them. */
export type MetadataChanges = Readonly<Record<string, string | null>> | null;

export const MAX_NAMES = 20;
const MAX_BYTES = 8_192;

/** @throws Problem `validation_failed` */
export function mergedMetadata(before: Metadata, changes: MetadataChanges | undefined): Metadata {
  if (changes === undefined) return before;
  const values = new Map<string, string | null>(changes === null ? [] : Object.entries(before));
  for (const [name, value] of Object.entries(changes ?? {})) values.set(name, value);
  const kept = [...values].filter((each): each is [string, string] => each[1] !== null);
  const metadata = Object.fromEntries(kept);
  if (kept.length > MAX_NAMES) throw tooLarge(`at most ${MAX_NAMES} names`);
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_BYTES) throw tooLarge('at most 8 KB, as JSON in UTF-8');
  return metadata;
}

function tooLarge(expected: string) {
  return faulty('validation_failed', [{ path: 'metadata', message: `Expected ${expected}.`, code: 'length' }]);
}

export function hasAny(metadata: Metadata): boolean {
  return Object.keys(metadata).length > 0;
}

/** An object of JavaScript has names like `10` before all others. */
export function inOrderOfNames(metadata: Metadata): Metadata {
  const names = Object.keys(metadata).sort();
  return new Proxy(metadata, { ownKeys: () => names });
}
