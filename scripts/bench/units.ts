import { apiKeyKey, kindOf, organizationKey, userPartition } from '#shared/data/layout/keys.ts';

/** The cost of calls in DynamoDB. It is counted, not timed: the same data give the same cost. */

export interface CountedCall {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface TableCost {
  readonly calls: number;
  /** How many of the calls a caller waits for, one after the other. */
  readonly roundTrips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export function costOfCalls(calls: readonly CountedCall[]): TableCost {
  return {
    calls: calls.length,
    roundTrips: roundTripsOf(calls),
    readUnits: calls.reduce((sum, { readUnits }) => sum + readUnits, 0),
    writeUnits: calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
  };
}

/** The longest chain of calls: always taking the call that ends first finds it. */
function roundTripsOf(calls: readonly CountedCall[]): number {
  let length = 0;
  let freeFrom = Number.NEGATIVE_INFINITY;
  for (const { startedAt, endedAt } of calls.toSorted((one, other) => one.endedAt - other.endedAt)) {
    if (startedAt < freeFrom) continue;
    length += 1;
    freeFrom = endedAt;
  }
  return length;
}

interface Consumed {
  readonly CapacityUnits?: number;
}

interface Answer {
  readonly ConsumedCapacity?: Consumed | readonly Consumed[];
}

const READS = /^(?:Get|Query|BatchGet|Scan|TransactGet)/;

/** @param answer to a request with `ReturnConsumedCapacity` */
export function unitsOf(operation: string, answer: object): Pick<CountedCall, 'readUnits' | 'writeUnits'> {
  const { ConsumedCapacity = [] }: Answer = answer;
  const consumed: Consumed[] = [ConsumedCapacity].flat();
  const units = consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  return READS.test(operation) ? { readUnits: units, writeUnits: 0 } : { readUnits: 0, writeUnits: units };
}

const KEY_PREFIX = apiKeyKey('').pk;

const STANDING = [userPartition(''), organizationKey('').pk].map(kindOf);

/**
 * A lease of rate-limit tokens belongs to no request, because many requests share it. It also reads parts of the user and of the
 * organization.
 *
 * @param projection of a read
 */
export function isLease(partition: unknown, projection: unknown): boolean {
  const text = String(partition);
  return text.startsWith(KEY_PREFIX) || (projection !== undefined && STANDING.includes(kindOf(text)));
}
