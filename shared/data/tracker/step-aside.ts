import {
  calendarPartition,
  kindOf,
  ledgerMonthPartition,
  ledgerYearPartition,
  lockPartition,
  projectPartition,
} from '#shared/data/layout/keys.ts';
import { checkOnShard, onShard } from '#shared/data/table/shards.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';

const PARTITIONS_OF_SUMS = [calendarPartition, ledgerMonthPartition, ledgerYearPartition, projectPartition];

const SUMS: ReadonlySet<string> = new Set(PARTITIONS_OF_SUMS.map((partitionOf) => kindOf(partitionOf(''))));

const LOCK = kindOf(lockPartition(''));

/**
 * A shard of a sum has no condition, so it is written even if its project is just being deleted: as if booked before that.
 * Those of the lock are equal to it.
 */
export function stepAside(locked: TransactItem, draw: number): TransactItem {
  const { Update, ConditionCheck } = locked;
  if (Update && SUMS.has(kindOf(String(Update.Key?.pk)))) return onShard(Update, draw);
  return ConditionCheck && kindOf(String(ConditionCheck.Key?.pk)) === LOCK
    ? checkOnShard(ConditionCheck, draw)
    : locked;
}
