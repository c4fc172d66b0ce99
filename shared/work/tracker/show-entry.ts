import { readLinks } from '#shared/data/tracker/links.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';
import { presentEntry } from '#shared/domain/tracker/present-entry.ts';

export async function showEntry(entry: Entry) {
  return presentEntry(entry, await readLinks(entry.organizationId, [entry]));
}
