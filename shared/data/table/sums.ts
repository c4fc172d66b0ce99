import type { Key } from '#shared/data/layout/keys.ts';
import type { TransactItem } from './transaction.ts';
import { type Condition, update } from './writes.ts';

export function sumsUpdate(
  key: Key,
  sums: ReadonlyMap<string, bigint>,
  condition?: Condition,
): TransactItem | undefined {
  const added = [...sums].filter(([, amount]) => amount !== 0n);
  return added.length === 0 ? undefined : increase(key, Object.fromEntries(added), condition);
}

export function increase(
  key: Key,
  amounts: Readonly<Record<string, number | bigint>>,
  condition?: Condition,
): TransactItem {
  const names = Object.keys(amounts);
  return update(key, {
    UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`).join(', ')}`,
    ...condition,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...condition?.ExpressionAttributeValues,
      ...Object.fromEntries(names.map((name) => [`:${name}`, amounts[name]])),
    },
  });
}
