/** Keeps a connection pool busy, and no request queues up in it. */
const CONCURRENCY = 32;

export function batchesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, batch) => items.slice(batch * size, (batch + 1) * size));
}

/** Attempts all, even when some fail. @throws AggregateError at the end */
export async function attemptAll<Item>(
  items: readonly Item[],
  attempt: (item: Item) => Promise<unknown>,
  concurrency = CONCURRENCY,
): Promise<void> {
  const failures: unknown[] = [];
  const take = (item: Item) => attempt(item).catch((error: unknown) => failures.push(error));
  await mapInParallel(items, take, concurrency);
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${items.length} have failed.`);
}

/** The results keep the order of the items. Once a call has failed, no other begins. */
export async function mapInParallel<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
  concurrency = CONCURRENCY,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  const pending = items.entries();
  let failure: { readonly error: unknown } | undefined;
  const lanes = Array.from({ length: Math.min(concurrency, items.length) }, async () => {
    for (const [position, item] of pending) {
      if (failure) return;
      try {
        results[position] = await map(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  });
  await Promise.all(lanes);
  if (failure) throw failure.error;
  return results;
}
