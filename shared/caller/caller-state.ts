import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Key, organizationKey, userKey } from '#shared/data/layout/keys.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { known } from '#shared/data/table/known.ts';
import { textSet } from '#shared/data/table/members.ts';
import { PLATFORM_ID } from '#shared/domain/keys/platform.ts';
import { ORGANIZATION_STATUSES } from '#shared/domain/organization/deletion.ts';
import { USER_STATUSES } from '#shared/domain/organization/users.ts';
import { ROLES, type Role } from '#shared/domain/role.ts';

/** What can change of a key's caller, so the key does not store it. `memberships.ts` reads the same for people. */
export interface CallerState {
  readonly role: Role;
  /** The organization's. */
  readonly currency: string;
  /** Those that its events are sent to. */
  readonly webhooks: readonly string[];
}

/** Whatever is unknown gives no rights. */
const userState = v.object({ role: known(ROLES, 'member'), status: known(USER_STATUSES, 'removed') });

const organizationState = v.object({
  status: known(ORGANIZATION_STATUSES, 'deleting'),
  currency: v.string(),
  webhooks: textSet,
});

/** ISO 4217 for none. */
const NO_CURRENCY = 'XXX';

/** Undefined for a user who was removed, and in an organization that is being deleted. */
export async function readCallerState(organizationId: string, userId: string): Promise<CallerState | undefined> {
  if (organizationId === PLATFORM_ID) return { role: 'admin', currency: NO_CURRENCY, webhooks: [] };
  const [user, organization] = await Promise.all([
    readAttributes(userKey(organizationId, userId), ['role', 'status']),
    readAttributes(organizationKey(organizationId), ['status', 'currency', 'webhooks']),
  ]);
  if (!user || !organization) return undefined;
  const { role, status } = v.parse(userState, user);
  const { currency, webhooks, ...its } = v.parse(organizationState, organization);
  return status === 'active' && its.status === 'active' ? { role, currency, webhooks } : undefined;
}

async function readAttributes(key: Key, names: readonly string[]): Promise<unknown> {
  const { Item } = await database.send(
    new GetCommand({
      TableName: TABLE_NAME,
      Key: key,
      ConsistentRead: true,
      ProjectionExpression: names.map((name) => `#${name}`).join(', '),
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    }),
  );
  return Item;
}
