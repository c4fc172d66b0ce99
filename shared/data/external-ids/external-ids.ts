import * as v from 'valibot';
import { type ExternallyNamed, externalIdKey, type Key } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import type { Item } from '#shared/data/table/query.ts';
import { refusing, type Write } from '#shared/data/table/transaction.ts';
import { IS_ABSENT, put, remove } from '#shared/data/table/writes.ts';
import { Problem } from '#shared/domain/problems.ts';

/** An item holds each external id, so no two objects of a kind can have it, and one read finds the object. */

const holding = v.object({ holderId: v.string() });

interface Named {
  readonly organizationId: string;
  readonly id: string;
  readonly externalId: string | null;
}

/**
 * They go with the write of the object. The transaction is refused with `external_id_taken` if another one has the id.
 *
 * @param before null for a new object
 * @param after null for one that goes
 */
export function externalIdWrites(kind: ExternallyNamed, before: Named | null, after: Named | null): Write[] {
  if (before?.externalId === after?.externalId) return [];
  const taking = (key: Key) => put({ ...key, holderId: after?.id }, v.parser(holding), IS_FREE);
  return [
    ...keysOf(kind, before).map((key) => remove(key)),
    ...keysOf(kind, after).map((key) => refusing(taking(key), externalIdTaken)),
  ];
}

const IS_FREE = { ...IS_ABSENT, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

function keysOf(kind: ExternallyNamed, object: Named | null): Key[] {
  if (object === null || object.externalId === null) return [];
  return [externalIdKey(object.organizationId, [kind, object.externalId])];
}

function externalIdTaken(met: Item | undefined): Problem {
  const message = 'Another object of this kind has this external id.';
  return new Problem('external_id_taken', {
    detail: message,
    errors: [{ path: 'externalId', message, code: 'external_id_taken' }],
    extensions: v.parse(holding, met),
  });
}

/** For work that looks for other reasons, and writes, before its transaction asks. @throws Problem `external_id_taken` */
export async function assertExternalIdFree(kind: ExternallyNamed, organizationId: string, externalId: string) {
  const item = await readItem(externalIdKey(organizationId, [kind, externalId]));
  if (item) throw externalIdTaken(item);
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** @returns of ids, in which the object is found with all else that is asked for; nothing is there if none has the id */
export async function rangeOfHolder(organizationId: string, kind: ExternallyNamed, externalId: string) {
  const item = await readItem(externalIdKey(organizationId, [kind, externalId]));
  const id = item ? v.parse(holding, item).holderId : NOBODY;
  return { from: id, to: id };
}
