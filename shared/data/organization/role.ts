import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { userKey } from '#shared/data/layout/keys.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { USER_STATUSES } from '#shared/domain/organization/users.ts';
import { ROLES, type Role } from '#shared/domain/role.ts';

const standing = v.object({ role: v.picklist(ROLES), status: v.picklist(USER_STATUSES) });

/** Undefined for a user who was removed. */
export async function readRole(organizationId: string, userId: string): Promise<Role | undefined> {
  const { Item } = await database.send(
    new GetCommand({
      TableName: TABLE_NAME,
      Key: userKey(organizationId, userId),
      ConsistentRead: true,
      ProjectionExpression: '#role, #status',
      ExpressionAttributeNames: { '#role': 'role', '#status': 'status' },
    }),
  );
  const { role, status } = v.parse(standing, Item);
  return status === 'active' ? role : undefined;
}
