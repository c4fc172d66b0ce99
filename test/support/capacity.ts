import { type CountedCall, costOfCalls, isLease, type TableCost, unitsOf } from '#scripts/bench/units.ts';
import { database } from '#shared/data/table/database.ts';

export interface Cost extends TableCost {
  /** Of the key's leases, which the other figures leave out. */
  readonly leaseWriteUnits: number;
  readonly leaseReadUnits: number;
}

/** Runs an operation and counts every call that it makes through the data modules of this process. */
export async function costOf(operation: () => Promise<unknown>): Promise<Cost> {
  const calls: CountedCall[] = [];
  const lease = { leaseWriteUnits: 0, leaseReadUnits: 0 };
  const inRound = rounds();
  const name = 'countCapacity';
  database.middlewareStack.add(
    (next, context) => async (request) => {
      const counted = { ...request, input: { ...request.input, ReturnConsumedCapacity: 'INDEXES' } };
      const commandName = context.commandName ?? '';
      if (isLease(partitionOf(request.input), projectionOf(request.input))) {
        const answer = await next(counted);
        const { readUnits, writeUnits } = unitsOf(commandName, answer.output);
        lease.leaseReadUnits += readUnits;
        lease.leaseWriteUnits += writeUnits;
        return answer;
      }
      const startedAt = performance.now();
      const answer = await inRound(() => next(counted));
      calls.push({ startedAt, endedAt: performance.now(), ...unitsOf(commandName, answer.output) });
      return answer;
    },
    { step: 'initialize', name },
  );
  try {
    await operation();
  } finally {
    database.middlewareStack.remove(name);
  }
  return { ...lease, ...costOfCalls(calls) };
}

/** Calls of a round begin within it, even those that follow the unpacking of a row. */
const ROUND_MILLISECONDS = 2;

/**
 * Lets calls that are made side by side end together. Otherwise, on a busy machine, a late answer would look like a
 * further round trip.
 */
function rounds(): <T>(call: () => Promise<T>) => Promise<T> {
  let underWay = 0;
  let answered: (() => void)[] = [];
  const endRound = () => {
    if (underWay > 0) return;
    for (const end of answered) end();
    answered = [];
  };
  return async (call) => {
    underWay += 1;
    try {
      return await call();
    } finally {
      underWay -= 1;
      await new Promise<void>((resolve) => {
        answered.push(resolve);
        setTimeout(endRound, ROUND_MILLISECONDS);
      });
    }
  };
}

function partitionOf(input: object): unknown {
  const key = 'Key' in input ? (input.Key as { pk?: unknown } | undefined) : undefined;
  return key?.pk;
}

function projectionOf(input: object): unknown {
  return 'ProjectionExpression' in input ? input.ProjectionExpression : undefined;
}
