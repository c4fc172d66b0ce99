import { setTimeout as sleep } from 'node:timers/promises';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Call, ObservedCall } from '#scripts/local/aws-endpoint.ts';
import type { Cloud } from '#scripts/local/cloud.ts';
import { itemRequestsOf } from '#scripts/local/dynamodb-needs.ts';
import { kindOf, outboxPartition } from '#shared/data/layout/keys.ts';
import type { Json } from './client.ts';

/** A call by which a function has written to the table, a transaction or not. */
export interface ObservedWrite {
  /** `create-product` */
  readonly by: string;
  /** The kinds of the items that it has put, updated or deleted, but for events. */
  readonly kinds: readonly string[];
  /** Types of the events that it has recorded, in their order. */
  readonly types: readonly string[];
}

/** What functions write while something goes on, those in processes of their own too. */
export async function writesDuring(
  cloud: Pick<Cloud, 'intercept' | 'observe'>,
  run: () => Promise<unknown>,
): Promise<ObservedWrite[]> {
  const writes: ObservedWrite[] = [];
  const unanswered = new Set<Call>();
  const stopCounting = cloud.intercept((call) => {
    unanswered.add(call);
    return undefined;
  });
  const stop = cloud.observe((call) => {
    unanswered.delete(call);
    const items = call.functionName !== undefined && call.status === 200 ? itemsOf(call) : [];
    if (items.length > 0) writes.push(writeOf(call.functionName ?? '', items));
  });
  try {
    await run();
    // A write is seen by others before it is answered, and so observed.
    while (unanswered.size > 0) await sleep(10);
  } finally {
    stop();
    stopCounting();
  }
  return writes;
}

function writeOf(functionName: string, items: readonly Json[]): ObservedWrite {
  const events = items.filter(isEvents).flatMap((item) => item.events ?? []);
  return {
    by: functionName.slice(functionName.indexOf('-') + 1),
    kinds: [...new Set(items.filter((item) => !isEvents(item)).map(kindOfItem))],
    types: events.map(({ type }: Json) => type),
  };
}

const OUTBOX = kindOf(outboxPartition(''));

const isEvents = (item: Json): boolean => kindOfItem(item) === OUTBOX;

/** What belongs to no organization may have an id in its partition. */
const kindOfItem = ({ pk }: Json): string => (pk.startsWith('ORG#') ? kindOf(pk) : pk.split('#')[0]);

const WRITES: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem']);

/** Each item whole, or its key alone. */
function itemsOf({ operation, requestBody }: ObservedCall): Json[] {
  const requests = itemRequestsOf(operation, JSON.parse(requestBody)).filter(({ action }) => WRITES.has(action));
  return requests.map(({ request }) => unmarshall((request.Item ?? request.Key) as Record<string, AttributeValue>));
}
