import { TABLE_NAME } from './database.ts';
import type { Key } from './keys.ts';
import type { TransactItem } from './transaction.ts';

/** Adds the amounts that are not zero to attributes of an item. Undefined where all are zero. */
export function sumsUpdate(
  Key: Key,
  sums: ReadonlyMap<string, bigint>,
  { ConditionExpression }: { readonly ConditionExpression?: string } = {},
): TransactItem | undefined {
  const added = [...sums].filter(([, amount]) => amount !== 0n);
  if (added.length === 0) return undefined;
  return {
    Update: {
      TableName: TABLE_NAME,
      Key,
      UpdateExpression: `ADD ${added.map(([name]) => `#${name} :${name}`).join(', ')}`,
      ConditionExpression,
      ExpressionAttributeNames: Object.fromEntries(added.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(added.map(([name, amount]) => [`:${name}`, amount])),
    },
  };
}
