import { unmarshall } from '@aws-sdk/util-dynamodb';
import { endpointFunction } from '#infra/functions.ts';
import type { Cloud } from '#scripts/local/cloud.ts';
import { confirmRemoteSync } from '#shared/contract/remote-imports.ts';
import type { Key } from '#shared/data/table.ts';
import { importJobPartition } from '#shared/data/table.ts';
import { tableDefinition } from '#shared/data/table-definition.ts';
import { importAll, importRows, makeImporter } from './import.ts';
import { UNITS_IN_TRANSACTION, writeUnitsOf } from './item-size.ts';
import { callsOf, type MeteredCall, metered } from './meter.ts';
import { assertOk } from './scenarios.ts';

/**
 * What a real import of 10,000 rows does to the table: which partition keys its calls touch, with how many units, in which order; and
 * likewise what a request of somebody else does. Recorded on the local cloud, from what the deployed functions send.
 */

export interface Touch {
  /** A partition key of the table, or of an index whose name then stands before it. Ids are numbered in the order of their appearance. */
  readonly partition: string;
  /** Tells an item from the others of its partition. */
  readonly item: string;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface RecordedCall {
  readonly kind: 'read' | 'write' | 'transaction';
  readonly touches: readonly Touch[];
}

/** Calls that are under way at the same time; the next stage begins when all have ended. */
export type Stage = readonly RecordedCall[];

export interface Recording {
  readonly rows: number;
  /** What the request does before it sends its messages, and what it does then, while it waits. */
  readonly confirm: { readonly before: readonly Stage[]; readonly after: readonly Stage[] };
  /** What the worker does with each message. */
  readonly messages: readonly (readonly Stage[])[];
  /** Requests of somebody of the same organization, whose entry goes to a project and month of the import. */
  readonly createEntry: readonly Stage[];
  readonly listEntries: readonly Stage[];
  /** Write units as DynamoDB told them; those of the touches are computed from the sizes of the items. */
  readonly toldWriteUnits: number;
  readonly toldReadUnits: number;
}

export async function recordImport(cloud: Cloud): Promise<Recording> {
  const importer = await makeImporter(cloud);
  const imported = await metered(cloud, () => importAll(cloud, importer));
  const booked = await metered(cloud, async () =>
    assertOk(
      await importer.call('createEntry', {
        body: { description: 'Work', durationMinutes: 60, entryDate: '2026-11-10', projectId: importer.projectIds[0] },
      }),
    ),
  );
  const listed = await metered(cloud, async () => assertOk(await importer.call('listEntries')));
  const read = await reader(importer.organizationId, [...imported, ...booked]);
  const own = callsOf(imported, endpointFunction(confirmRemoteSync).name);
  const ofWorker = callsOf(imported, 'import-chunk');
  const sentAt = Math.min(...own.filter(({ service }) => service === 'sqs').map(({ startedAt }) => startedAt));
  const isPoll = ({ operation, requestBody }: MeteredCall) =>
    operation === 'GetItem' && requestBody.includes(importJobPartition(importer.organizationId));
  const messages = Map.groupBy(ofWorker, ({ requestId }) => requestId);
  return {
    rows: importRows().length,
    confirm: {
      before: read(own.filter(({ startedAt }) => startedAt < sentAt)),
      after: read(own.filter((call) => call.startedAt > sentAt && !isPoll(call))),
    },
    messages: [...messages.values()].map(read),
    createEntry: read(booked),
    listEntries: read(listed),
    toldWriteUnits: sum(imported, 'writeUnits'),
    toldReadUnits: sum(imported, 'readUnits'),
  };
}

function sum(calls: readonly MeteredCall[], units: 'writeUnits' | 'readUnits'): number {
  return calls.reduce((total, call) => total + call[units], 0);
}

export interface ImportSummary {
  readonly rows: number;
  readonly messages: number;
  readonly transactions: number;
  readonly writeUnitsPerRow: number;
  readonly readUnits: number;
  /** Write units of the busiest partition keys, computed from the sizes of the items. */
  readonly busiest: readonly { readonly partition: string; readonly writeUnits: number }[];
  /** The sum of what was computed against what DynamoDB told. */
  readonly computedToTold: number;
}

const SHOWN_PARTITIONS = 5;

export function summaryOf({ rows, confirm, messages, toldWriteUnits, toldReadUnits }: Recording): ImportSummary {
  const calls = [...confirm.before, ...confirm.after, ...messages.flat()].flat();
  const byPartition = new Map<string, number>();
  for (const { partition, writeUnits } of calls.flatMap(({ touches }) => touches)) {
    byPartition.set(partition, (byPartition.get(partition) ?? 0) + writeUnits);
  }
  const computed = [...byPartition.values()].reduce((total, units) => total + units, 0);
  const sorted = [...byPartition].sort(([, one], [, other]) => other - one);
  return {
    rows,
    messages: messages.length,
    transactions: calls.filter(({ kind }) => kind === 'transaction').length,
    writeUnitsPerRow: toldWriteUnits / rows,
    readUnits: toldReadUnits,
    busiest: sorted.slice(0, SHOWN_PARTITIONS).map(([partition, writeUnits]) => ({ partition, writeUnits })),
    computedToTold: computed / toldWriteUnits,
  };
}

type Item = Readonly<Record<string, unknown>>;

interface Action {
  readonly Item?: Item;
  readonly Key?: Item;
}

/** Sizes of items that calls update are not in the calls: they are read once everything is done, when they are largest. */
async function reader(organizationId: string, calls: readonly MeteredCall[]) {
  const { batchGet } = await import('#shared/data/batch.ts');
  const updated = calls
    .filter(isTransaction)
    .flatMap(actionsOf)
    .flatMap(({ Key }) => (Key ? [keyOf(Key)] : []));
  const distinct = new Map(updated.map((key) => [nameOf(key), key]));
  const final = new Map((await batchGet([...distinct.values()])).map((item) => [nameOf(item), item]));
  const anonymous = anonymizer(organizationId);
  const recorded = (call: MeteredCall): RecordedCall => ({
    kind: kindOf(call),
    touches: touchesOf(call, final).map((touch) => ({
      ...touch,
      partition: anonymous(touch.partition),
      item: anonymous(touch.item),
    })),
  });
  return (group: readonly MeteredCall[]): Stage[] =>
    stagesOf(group.filter(({ service, isLease }) => service === 'dynamodb' && !isLease)).map((stage) =>
      stage.map(recorded),
    );
}

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

export const ORGANIZATION = '<organization>';

function anonymizer(organizationId: string): (text: string) => string {
  const numbers = new Map([[organizationId, ORGANIZATION]]);
  return (text) =>
    text.replace(UUID, (id) => {
      const name = numbers.get(id) ?? `<${numbers.size}>`;
      numbers.set(id, name);
      return name;
    });
}

/** A call belongs to the stage before it if it began before any of that had ended. Batches of keys always go out side by side. */
function stagesOf(calls: readonly MeteredCall[]): MeteredCall[][] {
  const stages: MeteredCall[][] = [];
  for (const call of calls.toSorted((one, other) => one.startedAt - other.startedAt)) {
    const stage = stages.at(-1);
    const isBatch = ({ operation }: MeteredCall) => operation === 'BatchGetItem';
    const isBeside = stage?.every((each) => call.startedAt < each.endedAt || (isBatch(each) && isBatch(call)));
    if (stage && isBeside) stage.push(call);
    else stages.push([call]);
  }
  return stages;
}

function isTransaction({ operation }: MeteredCall): boolean {
  return operation === 'TransactWriteItems';
}

function kindOf(call: MeteredCall): RecordedCall['kind'] {
  if (isTransaction(call)) return 'transaction';
  return /^(?:Put|Update|Delete)/.test(call.operation) ? 'write' : 'read';
}

function touchesOf(call: MeteredCall, final: ReadonlyMap<string, Item>): Touch[] {
  if (isTransaction(call)) return actionsOf(call).flatMap((action) => writesOf(action, final));
  const { readUnits, writeUnits } = call;
  const places = placesOf(call);
  return places.map((place) => ({
    ...place,
    readUnits: readUnits / places.length,
    writeUnits: writeUnits / places.length,
  }));
}

function actionsOf({ requestBody }: MeteredCall): Action[] {
  const { TransactItems = [] } = JSON.parse(requestBody);
  return TransactItems.map((transactItem: Record<string, Record<string, never>>) => {
    const [action = {}] = Object.values(transactItem);
    return { Item: action.Item && unmarshall(action.Item), Key: action.Key && unmarshall(action.Key) };
  });
}

function writesOf({ Item: put, Key: key }: Action, final: ReadonlyMap<string, Item>): Touch[] {
  const at = keyOf(put ?? key ?? {});
  const content = put ?? final.get(nameOf(at)) ?? { ...at };
  const units = writeUnitsOf(content);
  const touch = (partition: string, writeUnits: number): Touch => ({
    partition,
    item: nameOf(at),
    readUnits: 0,
    writeUnits,
  });
  const inIndexes = tableDefinition.indexes.filter(({ partitionKey }) => partitionKey in content);
  return [
    touch(at.pk, units * UNITS_IN_TRANSACTION),
    ...inIndexes.map(({ name, partitionKey }) => touch(`${name} ${content[partitionKey]}`, units)),
  ];
}

/** Where a call that is no transaction reads or writes. */
function placesOf({ requestBody }: MeteredCall): Pick<Touch, 'partition' | 'item'>[] {
  const {
    Key: key,
    Item: put,
    RequestItems,
    IndexName,
    KeyConditionExpression,
    ExpressionAttributeValues,
  } = JSON.parse(requestBody);
  if (RequestItems) {
    const tables: { Keys: Record<string, never>[] }[] = Object.values(RequestItems);
    return tables.flatMap(({ Keys }) => Keys.map((each) => placeOf(unmarshall(each))));
  }
  if (key ?? put) return [placeOf(unmarshall(key ?? put))];
  const [, value = ''] = /^#?\w+ = (:\w+)/.exec(KeyConditionExpression) ?? [];
  const partition = String(ExpressionAttributeValues[value]?.S);
  return [{ partition: IndexName ? `${IndexName} ${partition}` : partition, item: '' }];
}

function placeOf(item: Item): Pick<Touch, 'partition' | 'item'> {
  const key = keyOf(item);
  return { partition: key.pk, item: nameOf(key) };
}

function keyOf({ pk, sk }: Item): Key {
  return { pk: String(pk), sk: String(sk) };
}

function nameOf({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }): string {
  return `${pk} ${sk}`;
}
