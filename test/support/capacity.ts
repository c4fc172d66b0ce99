import { roundTripsOf } from '#scripts/bench/round-trips.ts';
import { apiKeyKey } from '#shared/data/layout/keys.ts';
import { database } from '#shared/data/table/database.ts';

/** What an operation costs in DynamoDB. It is counted, not timed: the same data give the same cost. */
export interface Cost {
  /** Write units of the key's leases. The other figures leave them out, because many requests share a lease. */
  readonly leaseWriteUnits: number;
  readonly calls: number;
  /** How many of the calls a caller waits for, one after the other. */
  readonly roundTrips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

interface Call {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

const READS = /^(?:Get|Query|BatchGet|Scan|TransactGet)/;

interface Consumed {
  readonly CapacityUnits?: number;
}

/** Runs an operation and counts every call that it makes through the data modules of this process. */
export async function costOf(operation: () => Promise<unknown>): Promise<Cost> {
  const calls: Call[] = [];
  let leaseWriteUnits = 0;
  const name = 'countCapacity';
  database.middlewareStack.add(
    (next, context) => async (request) => {
      const startedAt = performance.now();
      const answer = await next({ ...request, input: { ...request.input, ReturnConsumedCapacity: 'INDEXES' } });
      const units = unitsOf(answer.output);
      if (isLease(request.input)) {
        leaseWriteUnits += units;
        return answer;
      }
      const isRead = READS.test(context.commandName ?? '');
      calls.push({
        startedAt,
        endedAt: performance.now(),
        readUnits: isRead ? units : 0,
        writeUnits: isRead ? 0 : units,
      });
      return answer;
    },
    { step: 'initialize', name },
  );
  try {
    await operation();
  } finally {
    database.middlewareStack.remove(name);
  }
  const sum = (unit: 'readUnits' | 'writeUnits') => calls.reduce((total, call) => total + call[unit], 0);
  return {
    leaseWriteUnits,
    calls: calls.length,
    roundTrips: roundTripsOf(calls),
    readUnits: sum('readUnits'),
    writeUnits: sum('writeUnits'),
  };
}

const KEY_PREFIX = apiKeyKey('').pk;

function isLease(input: object): boolean {
  const key = 'Key' in input ? (input.Key as { pk?: unknown } | undefined) : undefined;
  return String(key?.pk).startsWith(KEY_PREFIX);
}

function unitsOf(output: object): number {
  const consumed =
    'ConsumedCapacity' in output ? (output.ConsumedCapacity as Consumed | Consumed[] | undefined) : undefined;
  const parts = Array.isArray(consumed) ? consumed : [consumed];
  return parts.reduce((sum, part) => sum + (part?.CapacityUnits ?? 0), 0);
}
