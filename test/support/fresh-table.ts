import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Call, Interception, Interceptor } from '#scripts/local/aws-endpoint.ts';
import { EmulatorClient } from '#scripts/local/emulator-client.ts';
import { UNITS_IN_TRANSACTION, writeUnitsOf } from '#shared/data/table/item-size.ts';
import { UNITS_PER_SECOND } from '#shared/domain/invoices/billing-time.ts';

/**
 * Throttles writes as a table does that is new or was idle: by the units of the table, and of each partition key. Worse
 * than DynamoDB, it saves no more than one second's units for a burst. Indexes, which have rates of their own, are free.
 */
export interface FreshTable {
  readonly interceptor: Interceptor;
  /** Writes by what became of them, and the units of those that were let through. */
  readonly figures: () => { readonly written: number; readonly throttled: number; readonly units: number };
}

type Item = Record<string, unknown>;

interface Write {
  readonly key: string;
  readonly units: number;
}

type WireItem = Record<string, AttributeValue>;

interface WireWrite {
  readonly TableName: string;
  readonly Key?: WireItem;
  readonly Item?: WireItem;
}

const SINGLE_WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

/** @param share of a table's units, so that less work shows the same */
export function freshTable(dynamoEndpoint: string, share = 1): FreshTable {
  const emulator = new EmulatorClient();
  const table = new Bucket(UNITS_PER_SECOND.table * share);
  const keys = new Map<string, Bucket>();
  const figures = { written: 0, throttled: 0, units: 0 };
  const bucketOf = (key: string): Bucket => {
    const bucket = keys.get(key) ?? new Bucket(UNITS_PER_SECOND.partitionKey * share);
    keys.set(key, bucket);
    return bucket;
  };

  const interceptor = async ({ service, operation, requestBody }: Call): Promise<Interception> => {
    const isTransaction = operation === 'TransactWriteItems';
    if (service !== 'dynamodb' || !(isTransaction || SINGLE_WRITES.has(operation))) return undefined;
    const request = JSON.parse(requestBody, withBytes);
    const wires: WireWrite[] = isTransaction
      ? request.TransactItems.flatMap((item: Record<string, WireWrite>) => Object.values(item))
      : [request];
    const writes = await writesOf(wires, isTransaction ? UNITS_IN_TRANSACTION : 1);
    const byKey = new Map<string, number>();
    for (const { key, units } of writes) byKey.set(key, (byKey.get(key) ?? 0) + units);
    const sum = writes.reduce((total, { units }) => total + units, 0);
    const wanted: [Bucket, number][] = [
      [table, sum],
      ...[...byKey].map(([key, units]) => [bucketOf(key), units] as [Bucket, number]),
    ];
    if (wanted.some(([bucket, units]) => !bucket.has(units))) {
      figures.throttled += 1;
      return throttled(isTransaction ? wires.length : 0);
    }
    for (const [bucket, units] of wanted) bucket.take(units);
    figures.written += 1;
    figures.units += sum;
    return undefined;
  };

  /** An item counts with its size before or after, whichever is larger. An update is taken for small. */
  async function writesOf(wires: readonly WireWrite[], factor: number): Promise<Write[]> {
    const stored = await itemsAt(wires);
    return wires.map((wire) => {
      const key = nameOf(wire);
      const before = stored.get(key) ?? {};
      const after: Item = wire.Item ? unmarshall(wire.Item, EXACT) : {};
      const units = Math.max(writeUnitsOf(before), writeUnitsOf(after)) * factor;
      return { key: partitionOf(wire), units };
    });
  }

  async function itemsAt(wires: readonly WireWrite[]): Promise<Map<string, Item>> {
    const [first] = wires;
    if (!first) return new Map();
    const found = new Map<string, Item>();
    let RequestItems: Record<string, object> = { [first.TableName]: { Keys: wires.map(keyOf), ConsistentRead: true } };
    while (Object.keys(RequestItems).length > 0) {
      const body = Buffer.from(JSON.stringify({ RequestItems }));
      const headers = { 'x-amz-target': 'DynamoDB_20120810.BatchGetItem' };
      const { Responses, UnprocessedKeys = {} } = JSON.parse(
        (await emulator.forward(dynamoEndpoint, headers, body)).body.toString(),
        withBytes,
      );
      for (const item of Responses[first.TableName])
        found.set(nameOf({ TableName: first.TableName, Item: item }), unmarshall(item, EXACT));
      RequestItems = UnprocessedKeys;
    }
    return found;
  }

  return { interceptor, figures: () => ({ ...figures }) };
}

/** Sums outgrow what a JavaScript number holds. */
const EXACT = { wrapNumbers: true } as const;

function withBytes(name: string, value: unknown): unknown {
  return name === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64') : value;
}

const keyOf = ({ Key, Item = {} }: WireWrite): WireItem => Key ?? ({ pk: Item.pk, sk: Item.sk } as WireItem);
const nameOf = (wire: WireWrite): string => JSON.stringify([keyOf(wire).pk, keyOf(wire).sk]);
const partitionOf = (wire: WireWrite): string => JSON.stringify(keyOf(wire).pk);

class Bucket {
  readonly #perSecond: number;
  #level: number;
  #countedAt = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#level = perSecond;
  }

  /** What is more than a second's units passes when none are used, and leaves a debt: else it never could. */
  has(units: number): boolean {
    const now = performance.now();
    this.#level = Math.min(this.#perSecond, this.#level + ((now - this.#countedAt) / 1_000) * this.#perSecond);
    this.#countedAt = now;
    return this.#level >= Math.min(units, this.#perSecond);
  }

  take(units: number): void {
    this.#level -= units;
  }
}

function throttled(itemsOfTransaction: number): Interception {
  const message = 'Throughput exceeds the current capacity of your table or index.';
  const name = itemsOfTransaction > 0 ? 'TransactionCanceledException' : 'ThrottlingException';
  const CancellationReasons = Array.from({ length: itemsOfTransaction }, () => ({
    Code: 'ThrottlingError',
    Message: message,
  }));
  const body = {
    __type: `com.amazonaws.dynamodb.v20120810#${name}`,
    message,
    ...(itemsOfTransaction > 0 && { CancellationReasons }),
  };
  return { status: 400, body: JSON.stringify(body) };
}
