import * as v from 'valibot';
import { logoKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import type { Write } from '#shared/data/table/transaction.ts';
import { put } from '#shared/data/table/writes.ts';

/** Each logo lies once under its hash, and stays: a document that was sent may name it. */

const stored = v.object({ content: v.instance(Uint8Array) });

/** @param hash as the organization or a document names it */
export async function readLogo(organizationId: string, hash: string | null): Promise<Uint8Array | undefined> {
  const item = hash === null ? undefined : await readItem(logoKey(organizationId, hash));
  return item && v.parse(stored, item).content;
}

export function logoPut(organizationId: string, hash: string, content: Uint8Array): Write {
  return put({ ...logoKey(organizationId, hash), content }, v.parser(stored));
}
