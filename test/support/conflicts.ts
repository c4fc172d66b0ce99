import { randomUUID } from 'node:crypto';
import { type DynamoDB, TransactionCanceledException } from '@aws-sdk/client-dynamodb';

interface Table {
  readonly database: DynamoDB;
  readonly tableName: string;
}

/** How many of ten transactions that check one item at once are refused for the others. They write nothing. */
export async function conflictsOfTen({ database, tableName }: Table): Promise<number> {
  const Key = { pk: { S: 'CONFLICT' }, sk: { S: randomUUID() } };
  const ConditionCheck = { TableName: tableName, Key, ConditionExpression: 'attribute_not_exists(pk)' };
  const check = () => database.transactWriteItems({ TransactItems: [{ ConditionCheck }] });
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, check));
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  return refusals.filter(isConflict).length;
}

function isConflict(error: unknown): boolean {
  const isCanceled = error instanceof TransactionCanceledException;
  return isCanceled && error.CancellationReasons?.[0]?.Code === 'TransactionConflict';
}
