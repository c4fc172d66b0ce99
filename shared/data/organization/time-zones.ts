import { organizationKey, userKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { dateIn, type TimeZone, UTC } from '#shared/domain/time-zone.ts';
import { organizationFrom, readOrganization } from './organizations.ts';
import { userFrom } from './users.ts';

/** Nothing holds a zone for the next request: what is booked or dated in a former one would stay so. */

export async function readUserZone(organizationId: string, userId: string): Promise<TimeZone> {
  const [ofOrganization, ofUser] = [organizationKey(organizationId), userKey(organizationId, userId)];
  const items = await batchGet([ofOrganization, ofUser]);
  const { timeZone } = userFrom(items.find(({ pk }) => pk === ofUser.pk));
  return timeZone ?? zoneOf(organizationFrom(items.find(({ pk }) => pk === ofOrganization.pk)));
}

export async function readOrganizationZone(organizationId: string): Promise<TimeZone> {
  return zoneOf(await readOrganization(organizationId));
}

/** @returns `YYYY-MM-DD` */
export async function readToday(organizationId: string, now: Date): Promise<string> {
  return dateIn(await readOrganizationZone(organizationId), now);
}

function zoneOf({ timeZone }: { readonly timeZone: string | null }): TimeZone {
  return timeZone ?? UTC;
}
