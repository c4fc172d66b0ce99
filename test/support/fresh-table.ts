import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Call, Interception, Interceptor } from '#scripts/local/aws-endpoint.ts';
import { CapacityBucket } from '#scripts/local/capacity-bucket.ts';
import { UNITS_IN_TRANSACTION, writeUnitsOf } from '#shared/data/table/item-size.ts';
import { UNITS_PER_SECOND } from '#shared/domain/invoices/billing-time.ts';

/**
 * Throttles writes as a table does that is new or was idle: by the units of the table, and of each partition key. Worse
 * than DynamoDB, it saves no more than one second's units for a burst. Indexes, which have rates of their own, are free.
 */
export interface FreshTable {
  readonly interceptor: Interceptor;
  /** How many writes were throttled, and the units of those that were let through. */
  readonly figures: () => { readonly throttled: number; readonly units: number };
}

type WireItem = Record<string, AttributeValue>;

interface WireWrite {
  readonly Key?: WireItem;
  readonly Item?: WireItem;
}

const SINGLE_WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

/** @param share of a table's units, so that less work shows the same */
export function freshTable(share: number): FreshTable {
  const bucketFor = (perSecond: number) => new CapacityBucket(perSecond * share, perSecond * share);
  const table = bucketFor(UNITS_PER_SECOND.table);
  const keys = new Map<string, CapacityBucket>();
  const figures = { throttled: 0, units: 0 };
  const bucketOf = (key: string): CapacityBucket => {
    const bucket = keys.get(key) ?? bucketFor(UNITS_PER_SECOND.partitionKey);
    keys.set(key, bucket);
    return bucket;
  };
  const interceptor = ({ service, operation, requestBody }: Call): Interception => {
    const isTransaction = operation === 'TransactWriteItems';
    if (service !== 'dynamodb' || !(isTransaction || SINGLE_WRITES.has(operation))) return undefined;
    const request = JSON.parse(requestBody);
    const writes: WireWrite[] = isTransaction
      ? request.TransactItems.flatMap((item: Record<string, WireWrite>) => Object.values(item))
      : [request];
    const wanted = [...Map.groupBy(writes, partitionOf)].map(
      ([key, some]) => [bucketOf(key), unitsOf(some, isTransaction)] as const,
    );
    const sum = unitsOf(writes, isTransaction);
    if (!table.has(sum) || wanted.some(([bucket, units]) => !bucket.has(units))) {
      figures.throttled += 1;
      return throttled(isTransaction ? writes.length : 0);
    }
    for (const [bucket, units] of [[table, sum] as const, ...wanted]) bucket.take(units);
    figures.units += sum;
    return undefined;
  };
  return { interceptor, figures: () => ({ ...figures }) };
}

/** Updates, deletions and checks, which bring no item, are taken for small. */
function unitsOf(writes: readonly WireWrite[], isTransaction: boolean): number {
  const units = writes.reduce((sum, { Item }) => sum + (Item ? writeUnitsOf(unmarshall(Item, EXACT)) : 1), 0);
  return units * (isTransaction ? UNITS_IN_TRANSACTION : 1);
}

/** Sums outgrow what a JavaScript number holds. */
const EXACT = { wrapNumbers: true } as const;

const partitionOf = ({ Key, Item }: WireWrite): string => JSON.stringify((Key ?? Item)?.pk);

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
