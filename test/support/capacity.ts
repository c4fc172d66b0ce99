import { type CountedCall, costOfCalls, isLease, type TableCost, unitsOf } from '#scripts/bench/units.ts';
import { database } from '#shared/data/table/database.ts';

export interface Cost extends TableCost {
  /** Write units of the key's leases, which the other figures leave out. */
  readonly leaseWriteUnits: number;
}

/** Runs an operation and counts every call that it makes through the data modules of this process. */
export async function costOf(operation: () => Promise<unknown>): Promise<Cost> {
  const calls: CountedCall[] = [];
  let leaseWriteUnits = 0;
  const name = 'countCapacity';
  database.middlewareStack.add(
    (next, context) => async (request) => {
      const startedAt = performance.now();
      const answer = await next({ ...request, input: { ...request.input, ReturnConsumedCapacity: 'INDEXES' } });
      const units = unitsOf(context.commandName ?? '', answer.output);
      if (isLease(partitionOf(request.input))) leaseWriteUnits += units.writeUnits;
      else calls.push({ startedAt, endedAt: performance.now(), ...units });
      return answer;
    },
    { step: 'initialize', name },
  );
  try {
    await operation();
  } finally {
    database.middlewareStack.remove(name);
  }
  return { leaseWriteUnits, ...costOfCalls(calls) };
}

function partitionOf(input: object): unknown {
  const key = 'Key' in input ? (input.Key as { pk?: unknown } | undefined) : undefined;
  return key?.pk;
}
