import { TABLE_NAME } from './database.ts';
import type { Key } from './keys.ts';
import type { TransactItem } from './transaction.ts';

interface UpdateOptions {
  readonly ConditionExpression?: string;
  /** Attributes to set as well; undefined ones are left out. */
  readonly set?: Readonly<Record<string, unknown>>;
}

/** Adds the amounts that are not zero to attributes of an item. Undefined where all are zero. */
export function sumsUpdate(
  Key: Key,
  sums: ReadonlyMap<string, bigint>,
  { ConditionExpression, set = {} }: UpdateOptions = {},
): TransactItem | undefined {
  const added = [...sums].filter(([, amount]) => amount !== 0n);
  if (added.length === 0) return undefined;
  const assigned = Object.entries(set).filter(([, value]) => value !== undefined);
  const names = [...added, ...assigned].map(([name]) => name);
  const setting = assigned.map(([name]) => `#${name} = :${name}`).join(', ');
  return {
    Update: {
      TableName: TABLE_NAME,
      Key,
      UpdateExpression: `${setting && `SET ${setting} `}ADD ${added.map(([name]) => `#${name} :${name}`).join(', ')}`,
      ConditionExpression,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        [...added, ...assigned].map(([name, value]) => [`:${name}`, value]),
      ),
    },
  };
}
