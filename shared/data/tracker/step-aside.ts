import { kindOf } from '#shared/data/layout/keys.ts';
import { onShard } from '#shared/data/table/shards.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';

const SUMS: ReadonlySet<string> = new Set(['CALENDAR', 'LEDGER', 'LEDGER_YEAR', 'PROJECT']);

/** A shard has no condition, so it is written even if its project is just being deleted: as if booked before that. */
export function stepAside(locked: TransactItem): TransactItem {
  const { Update } = locked;
  return Update && SUMS.has(kindOf(String(Update.Key?.pk))) ? onShard(Update) : locked;
}
