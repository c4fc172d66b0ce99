/** As many requests at once as keep a connection pool busy without queueing up in it. */
const CONCURRENCY = 32;

/** Maps with a bounded number of calls under way; the results keep the order of the items. */
export async function mapInParallel<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  const pending = items.entries();
  const lanes = Array.from({ length: Math.min(CONCURRENCY, items.length) }, async () => {
    for (const [position, item] of pending) results[position] = await map(item);
  });
  await Promise.all(lanes);
  return results;
}
