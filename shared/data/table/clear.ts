import type { Key } from '#shared/data/layout/keys.ts';
import { batchDelete } from './batch.ts';
import { type Item, queryPage } from './query.ts';

/** A partition to empty. */
export interface Clearing {
  readonly partition: string;
  /** Items elsewhere that nothing but an item of the partition leads to. */
  readonly leadsTo?: (item: Item) => Led;
}

export interface Led {
  readonly keys?: readonly Key[];
  readonly partitions?: readonly Clearing[];
}

/** Few enough that the time is looked at every other second, whatever they lead to. */
const ITEMS_PER_PAGE = 100;

/**
 * An item goes after all that it leads to. So the table itself tells how far a clearing has come: wherever it stops,
 * another one goes on there.
 *
 * @returns whether nothing is left; false where it may not go on
 */
export async function clear(clearings: readonly Clearing[], mayGoOn: () => boolean): Promise<boolean> {
  for (const clearing of clearings) {
    if (!(await clearPartition(clearing, mayGoOn))) return false;
  }
  return true;
}

async function clearPartition({ partition, leadsTo }: Clearing, mayGoOn: () => boolean): Promise<boolean> {
  let lastKey: Item | undefined;
  do {
    if (!mayGoOn()) return false;
    const page = await queryPage({ ...itemsOf(partition), ExclusiveStartKey: lastKey });
    const led = leadsTo ? page.items.map(leadsTo) : [];
    if (
      !(await clear(
        led.flatMap(({ partitions = [] }) => partitions),
        mayGoOn,
      ))
    )
      return false;
    await batchDelete(led.flatMap(({ keys = [] }) => keys));
    await batchDelete(page.items.map(({ sk }) => ({ pk: partition, sk: String(sk) })));
    lastKey = page.LastEvaluatedKey;
  } while (lastKey);
  return true;
}

const itemsOf = (partition: string) => ({
  KeyConditionExpression: 'pk = :partition',
  ExpressionAttributeValues: { ':partition': partition },
  Limit: ITEMS_PER_PAGE,
});
