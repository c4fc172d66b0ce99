interface Call {
  readonly startedAt: number;
  readonly endedAt: number;
}

/**
 * How many round trips a caller waits for: the longest chain of calls in which each call begins after the previous
 * call has ended. Always taking the call that ends first finds this chain.
 */
export function roundTripsOf(calls: readonly Call[]): number {
  let length = 0;
  let freeFrom = Number.NEGATIVE_INFINITY;
  for (const { startedAt, endedAt } of calls.toSorted((one, other) => one.endedAt - other.endedAt)) {
    if (startedAt < freeFrom) continue;
    length += 1;
    freeFrom = endedAt;
  }
  return length;
}
