import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Cloud } from '#scripts/local/cloud.ts';
import type { Key } from '#shared/data/layout/keys.ts';
import { tableDefinition } from '#shared/data/table/table-definition.ts';
import { importAll, importRows, makeImporter } from './import.ts';
import { UNITS_IN_TRANSACTION, writeUnitsOf } from './item-size.ts';
import { callsOf, type MeteredCall, metered } from './meter.ts';

/**
 * How many units an import of 10,000 rows takes, and from which partition keys. The calls of the deployed
 * functions are counted.
 */
export interface ImportUnits {
  readonly rows: number;
  readonly messages: number;
  readonly transactions: number;
  readonly writeUnitsPerRow: number;
  readonly readUnits: number;
  /** Write units of the busiest partition keys, computed from the sizes of the items. */
  readonly busiest: readonly { readonly partition: string; readonly writeUnits: number }[];
  /** The computed sum, divided by what DynamoDB told. */
  readonly computedToTold: number;
}

const SHOWN_PARTITIONS = 5;

export async function measureImportUnits(cloud: Cloud): Promise<ImportUnits> {
  const importer = await makeImporter(cloud);
  const calls = await metered(cloud, () => importAll(cloud, importer));
  const byPartition = new Map<string, number>();
  for (const { partition, writeUnits } of await writesOf(calls)) {
    byPartition.set(partition, (byPartition.get(partition) ?? 0) + writeUnits);
  }
  const sorted = [...byPartition].sort(([, one], [, other]) => other - one);
  const computed = sumOf(sorted.map(([, writeUnits]) => writeUnits));
  const told = sumOf(calls.map(({ writeUnits }) => writeUnits));
  const rows = importRows().length;
  const anonymous = anonymizer(importer.organizationId);
  return {
    rows,
    messages: new Set(callsOf(calls, 'import-chunk').map(({ requestId }) => requestId)).size,
    transactions: calls.filter(isTransaction).length,
    writeUnitsPerRow: told / rows,
    readUnits: sumOf(calls.map(({ readUnits }) => readUnits)),
    busiest: sorted
      .slice(0, SHOWN_PARTITIONS)
      .map(([partition, writeUnits]) => ({ partition: anonymous(partition), writeUnits })),
    computedToTold: computed / told,
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

interface Write {
  /** A partition key of the table, or of an index. The name of an index stands before its key. */
  readonly partition: string;
  readonly writeUnits: number;
}

type Item = Readonly<Record<string, unknown>>;

interface Action {
  readonly Item?: Item;
  readonly Key?: Item;
}

/**
 * Calls do not say how large the items are that they update. These items are read once everything is done,
 * when they are largest.
 */
async function writesOf(calls: readonly MeteredCall[]): Promise<Write[]> {
  const { batchGet } = await import('#shared/data/table/batch.ts');
  const actions = calls.filter(isTransaction).flatMap(actionsOf);
  const updated = actions.flatMap(({ Key }) => (Key ? [keyOf(Key)] : []));
  const distinct = new Map(updated.map((key) => [nameOf(key), key]));
  const final = new Map((await batchGet([...distinct.values()])).map((item) => [nameOf(item), item]));
  return [
    ...actions.flatMap((action) => writesOfAction(action, final)),
    ...calls.filter(isSingleWrite).map(singleWrite),
  ];
}

function isTransaction({ operation }: MeteredCall): boolean {
  return operation === 'TransactWriteItems';
}

function isSingleWrite({ service, operation, isLease }: MeteredCall): boolean {
  return service === 'dynamodb' && !isLease && /^(?:Put|Update|Delete)/.test(operation);
}

function actionsOf({ requestBody }: MeteredCall): Action[] {
  const { TransactItems = [] } = JSON.parse(requestBody);
  return TransactItems.map((transactItem: Record<string, Record<string, never>>) => {
    const [action = {}] = Object.values(transactItem);
    return { Item: action.Item && unmarshall(action.Item), Key: action.Key && unmarshall(action.Key) };
  });
}

function writesOfAction({ Item: put, Key: key }: Action, final: ReadonlyMap<string, Item>): Write[] {
  const at = keyOf(put ?? key ?? {});
  const content = put ?? final.get(nameOf(at)) ?? { ...at };
  const writeUnits = writeUnitsOf(content);
  const inIndexes = tableDefinition.indexes.filter(({ partitionKey }) => partitionKey in content);
  return [
    { partition: at.pk, writeUnits: writeUnits * UNITS_IN_TRANSACTION },
    ...inIndexes.map(({ name, partitionKey }) => ({ partition: `${name} ${content[partitionKey]}`, writeUnits })),
  ];
}

function singleWrite({ requestBody, writeUnits }: MeteredCall): Write {
  const { Key: key, Item: put } = JSON.parse(requestBody);
  return { partition: keyOf(unmarshall(key ?? put)).pk, writeUnits };
}

function keyOf({ pk, sk }: Item): Key {
  return { pk: String(pk), sk: String(sk) };
}

function nameOf({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }): string {
  return `${pk} ${sk}`;
}

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/** Numbers ids in the order of their appearance: the same import then reads the same in every report. */
function anonymizer(organizationId: string): (text: string) => string {
  const names = new Map([[organizationId, '<organization>']]);
  return (text) =>
    text.replace(UUID, (id) => {
      const name = names.get(id) ?? `<${names.size}>`;
      names.set(id, name);
      return name;
    });
}
