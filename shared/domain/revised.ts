import { isDeepStrictEqual } from 'node:util';

/** @returns the changed object with the time of its change; the object itself where nothing differs */
export function revised<T extends { readonly updatedAt: string }>(before: T, after: T, now: Date): T {
  return isDeepStrictEqual(before, after) ? before : { ...after, updatedAt: now.toISOString() };
}
