import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { amountMinorOf, type Entry } from '#shared/domain/entry.ts';
import { database, TABLE_NAME } from './client.ts';
import { type Dimensions, type Key, ledgerPageKey, ledgerPageOf, ledgerPartition, ledgerRange } from './table.ts';
import type { TransactItem } from './transaction.ts';

/**
 * The ledger: how many entries, minutes and minor units of money there are, by day and by every dimension that a list can be filtered
 * by or a summary grouped by. It is changed in the transaction that changes the entries, and so always equals a recount of them.
 *
 * A page holds a month of one combination of dimensions, with three attributes for each day (`e05`, `m05`, `a05`). Measured against an item
 * for each day, a year of ten projects is 120 items instead of 3,650, and costs a seventh of the read units; an update costs the same,
 * since a full page stays below 1 KB.
 */

/** One day of one combination of dimensions. */
export interface Cell {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly dimensions: Dimensions;
  readonly entries: number;
  readonly minutes: number;
  /** Minor units of the currency; billable entries only */
  readonly amountMinor: bigint;
}

/** What happens to one entry: it comes (`before` null), changes, or goes (`after` null). */
export interface EntryChange {
  readonly before: Entry | null;
  readonly after: Entry | null;
}

/** The updates of ledger pages that go with changes of entries: one for each page whose sums change. */
export function ledgerUpdates(organizationId: string, changes: readonly EntryChange[]): TransactItem[] {
  const pages = new Map<string, { key: Key; sums: Map<string, bigint> }>();
  const add = (entry: Entry | null, sign: bigint) => {
    if (!entry) return;
    const key = ledgerPageKey(organizationId, entry.entryDate.slice(0, 7), entry);
    const page = pages.get(key.sk) ?? { key, sums: new Map<string, bigint>() };
    pages.set(key.sk, page);
    for (const [attribute, amount] of contributions(entry)) {
      page.sums.set(attribute, (page.sums.get(attribute) ?? 0n) + sign * amount);
    }
  };
  for (const { before, after } of changes) {
    add(before, -1n);
    add(after, 1n);
  }
  return [...pages.values()].flatMap(({ key, sums }) => sumsUpdate(key, sums) ?? []);
}

function contributions(entry: Entry): [string, bigint][] {
  const day = entry.entryDate.slice(8);
  return [
    [`e${day}`, 1n],
    [`m${day}`, BigInt(entry.durationMinutes)],
    [`a${day}`, amountMinorOf(entry)],
  ];
}

/** Adds to attributes of an item what is not zero, or undefined where all is; a condition may come with it. */
export function sumsUpdate(
  Key: Key,
  sums: ReadonlyMap<string, bigint>,
  ConditionExpression?: string,
): TransactItem | undefined {
  const changed = [...sums].filter(([, amount]) => amount !== 0n);
  if (changed.length === 0) return undefined;
  return {
    Update: {
      TableName: TABLE_NAME,
      Key,
      UpdateExpression: `ADD ${changed.map((_, i) => `#${i} :${i}`).join(', ')}`,
      ConditionExpression,
      ExpressionAttributeNames: Object.fromEntries(changed.map(([attribute], i) => [`#${i}`, attribute])),
      ExpressionAttributeValues: Object.fromEntries(changed.map(([, amount], i) => [`:${i}`, amount])),
    },
  };
}

export interface DateRange {
  /** `YYYY-MM-DD`, inclusive; without it from the first day on */
  readonly from?: string;
  readonly to?: string;
}

const FIRST_DATE = '0000-01-01';
const LAST_DATE = '9999-12-31';

/** The cells of a range that hold entries, in no particular order, read with strong consistency. */
export async function readLedger(
  organizationId: string,
  { from = FIRST_DATE, to = LAST_DATE }: DateRange,
): Promise<Cell[]> {
  const months = ledgerRange(from.slice(0, 7), to.slice(0, 7));
  const cells: Cell[] = [];
  let startKey: Record<string, unknown> | undefined;
  do {
    const page = await database.send(
      new QueryCommand({
        TableName: TABLE_NAME,
        KeyConditionExpression: 'pk = :partition AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':partition': ledgerPartition(organizationId),
          ':from': months.from,
          ':to': months.to,
        },
        ConsistentRead: true,
        ExclusiveStartKey: startKey,
      }),
    );
    for (const item of page.Items ?? []) cells.push(...cellsOf(item));
    startKey = page.LastEvaluatedKey;
  } while (startKey);
  return cells.filter(({ date }) => date >= from && date <= to);
}

function cellsOf({ sk, ...sums }: Record<string, unknown>): Cell[] {
  const { month, dimensions } = ledgerPageOf(String(sk));
  return Object.entries(sums).flatMap(([attribute, entries]) => {
    const day = /^e(\d\d)$/.exec(attribute)?.[1];
    if (!day || Number(entries) === 0) return [];
    const sum = (kind: string) => BigInt(String(sums[`${kind}${day}`] ?? 0));
    return {
      date: `${month}-${day}`,
      dimensions,
      entries: Number(entries),
      minutes: Number(sum('m')),
      amountMinor: sum('a'),
    };
  });
}
