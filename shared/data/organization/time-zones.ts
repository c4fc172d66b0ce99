import * as v from 'valibot';
import { type Key, organizationKey, userKey } from '#shared/data/layout/keys.ts';
import { readItems } from '#shared/data/table/batch.ts';
import { readItem } from '#shared/data/table/item.ts';
import type { Dating } from '#shared/domain/invoices/document-dates.ts';
import { dateIn, type TimeZone, UTC } from '#shared/domain/time-zone.ts';

/** Nothing holds a zone for the next request: what is booked or dated in a former one would stay so. */

/** While an organization is being deleted, its items may be gone already. */
const zone = { timeZone: v.nullable(v.string()) };

const zoned = v.optional(v.object(zone));

export function readUserZone(organizationId: string, userId: string): Promise<TimeZone> {
  return readZone([userKey(organizationId, userId), organizationKey(organizationId)]);
}

export function readOrganizationZone(organizationId: string): Promise<TimeZone> {
  return readZone([organizationKey(organizationId)]);
}

/** @returns `YYYY-MM-DD` */
export async function readToday(organizationId: string, now: Date): Promise<string> {
  return dateIn(await readOrganizationZone(organizationId), now);
}

const dating = v.optional(v.object({ chronologicalNumbers: v.optional(v.boolean(), false), ...zone }));

export async function readDating(organizationId: string, now: Date): Promise<Dating> {
  const found = v.parse(dating, await readItem(organizationKey(organizationId)));
  return { today: dateIn(found?.timeZone ?? UTC, now), isInOrder: found?.chronologicalNumbers ?? false };
}

/** @param keys of items that have a zone; the first one that is set holds */
async function readZone(keys: readonly Key[]): Promise<TimeZone> {
  const itemOf = await readItems(keys);
  const zones = keys.map((key) => v.parse(zoned, itemOf(key))?.timeZone);
  return zones.find((zone) => typeof zone === 'string') ?? UTC;
}
