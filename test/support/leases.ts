import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { idempotencyKey } from '#shared/data/layout/keys.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import type { User } from './given.ts';

/**
 * Ends the lease of an attempt, as time would, if the attempt has begun and has no answer yet. The time that is written
 * stays as it is.
 *
 * @param name the `Idempotency-Key` of its request
 */
export async function endLease({ organization, userId }: User, name: string): Promise<void> {
  const update = new UpdateCommand({
    TableName: TABLE_NAME,
    Key: idempotencyKey(organization.id, userId, name),
    UpdateExpression: 'SET leaseEndsAt = :past',
    ConditionExpression: 'attribute_exists(leaseEndsAt)',
    ExpressionAttributeValues: { ':past': 0 },
  });
  await database.send(update).catch((error) => {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  });
}
