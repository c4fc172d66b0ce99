import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import { database } from '#shared/data/table/database.ts';
import { UNITS_IN_TRANSACTION, writeUnitsOf } from '#shared/data/table/item-size.ts';
import { tableDefinition } from '#shared/data/table/table-definition.ts';

type Item = Record<string, unknown>;

/**
 * Which partition keys the transactions of an operation fall on. DynamoDB tells how much a call consumes, but not where. So that is computed, with
 * updates taken for small, since they bring no item.
 *
 * @returns write units by partition key, of the table and of its indexes
 */
export async function heatOf(operation: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  const byKey = new Map<string, number>();
  const add = (key: unknown, units: number) => byKey.set(String(key), (byKey.get(String(key)) ?? 0) + units);
  const send = vi.spyOn(database, 'send');
  await operation();
  const { calls, settledResults } = send.mock;
  const items = calls.flatMap(([command], call) => {
    const isWritten = command instanceof TransactWriteCommand && settledResults[call]?.type === 'fulfilled';
    return isWritten ? (command.input.TransactItems ?? []) : [];
  });
  send.mockRestore();
  for (const { Put, Update, Delete, ConditionCheck } of items) {
    const item: Item = Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key ?? {};
    add(item.pk, writeUnitsOf(item) * UNITS_IN_TRANSACTION);
    for (const { partitionKey } of tableDefinition.indexes)
      if (partitionKey in item) add(item[partitionKey], writeUnitsOf(item));
  }
  return byKey;
}
