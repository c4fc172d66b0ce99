import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Key } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { database } from '#shared/data/table/database.ts';
import { UNITS_IN_TRANSACTION, writeUnitsOf } from '#shared/data/table/item-size.ts';
import { tableDefinition } from '#shared/data/table/table-definition.ts';

/**
 * Which partition keys writes fall on. DynamoDB tells how much a call consumes, but not where. That is computed here
 * from the sizes of the items, by DynamoDB's rules. The sum can be compared with what DynamoDB told.
 */
export interface Heat {
  /** Write units by partition key, of the table and of its indexes. */
  readonly byKey: ReadonlyMap<string, number>;
  /** What DynamoDB told. */
  readonly consumedUnits: number;
}

type Item = Record<string, unknown>;

interface Write {
  readonly key: Key;
  /** Undefined if the call did not bring the item. */
  readonly item?: Item;
}

/** Runs an operation whose writes are transactions. */
export async function heatOf(operation: () => Promise<unknown>): Promise<Heat> {
  const writes: Write[] = [];
  let consumedUnits = 0;
  database.middlewareStack.add(
    (next, context) => async (request) => {
      if (!context.commandName?.startsWith('TransactWrite')) return next(request);
      const answer = await next({ ...request, input: { ...request.input, ReturnConsumedCapacity: 'INDEXES' } });
      writes.push(...writesOf(request.input as TransactWriteCommandInput));
      const { ConsumedCapacity = [] } = answer.output as { ConsumedCapacity?: { CapacityUnits?: number }[] };
      for (const { CapacityUnits = 0 } of ConsumedCapacity) consumedUnits += CapacityUnits;
      return answer;
    },
    { step: 'initialize', name: 'heat' },
  );
  try {
    await operation();
  } finally {
    database.middlewareStack.remove('heat');
  }
  return { byKey: await unitsByKey(writes), consumedUnits };
}

function writesOf({ TransactItems = [] }: TransactWriteCommandInput): Write[] {
  return TransactItems.map(({ Put, Update, Delete, ConditionCheck }) => {
    const item = Put?.Item;
    const { pk, sk } = (item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key ?? {}) as Partial<Key>;
    return { key: { pk: String(pk), sk: String(sk) }, item };
  });
}

/** An updated item counts with its size in the end, which is its largest size. */
async function unitsByKey(writes: readonly Write[]): Promise<Map<string, number>> {
  const updated = new Map(writes.filter(({ item }) => !item).map(({ key }) => [`${key.pk} ${key.sk}`, key]));
  const final = new Map((await batchGet([...updated.values()])).map((item) => [`${item.pk} ${item.sk}`, item]));
  const byKey = new Map<string, number>();
  const add = (key: unknown, units: number) => byKey.set(String(key), (byKey.get(String(key)) ?? 0) + units);
  for (const { key, item } of writes) {
    const content: Item = item ?? final.get(`${key.pk} ${key.sk}`) ?? { ...key };
    const units = writeUnitsOf(content);
    add(key.pk, units * UNITS_IN_TRANSACTION);
    for (const { partitionKey } of tableDefinition.indexes)
      if (partitionKey in content) add(content[partitionKey], units);
  }
  return byKey;
}
