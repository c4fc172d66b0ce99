import * as v from 'valibot';
import { component } from './meaning.ts';

/**
 * Marks a resource that changes: alone in an answer it has an `ETag`, which `If-Match` must name for a change.
 */
export function tagged<Input>() {
  return v.metadata<Input, { isTagged: true }>({ isTagged: true });
}

export function resource<const Entries extends v.ObjectEntries>(title: string, meaning: string, entries: Entries) {
  return v.pipe(component(title, meaning, entries), tagged());
}

export function isTagged(schema: v.GenericSchema): boolean {
  return v.getMetadata(schema).isTagged === true;
}
