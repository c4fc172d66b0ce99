import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import type { User } from './given.ts';
import { scanTable } from './table-scan.ts';

/** Ends the leases of an organization's attempts, as time would. The time that is written stays as it is. */
export async function endLease({ organization }: User): Promise<void> {
  for await (const { pk, sk, leaseEndsAt } of scanTable()) {
    if (leaseEndsAt === undefined || !String(pk).includes(organization.id)) continue;
    const UpdateExpression = 'SET leaseEndsAt = :past';
    const ExpressionAttributeValues = { ':past': 0 };
    await database.send(
      new UpdateCommand({ TableName: TABLE_NAME, Key: { pk, sk }, UpdateExpression, ExpressionAttributeValues }),
    );
  }
}
