import { monthOf, yearOf } from '#shared/domain/date-range.ts';
import { messageText } from '#shared/domain/message-text.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';
import type { PlannedRow } from './import-plan.ts';

/** How planned rows, and entries to remove, are packed into transactions and messages. */

/** Rows that one transaction imports, all or none. */
export interface ImportUnit {
  readonly number: number;
  readonly rows: readonly PlannedRow[];
}

/** DynamoDB's limit is 100 items. Two are the job's own: the mark of the unit and the counters. */
const MAX_ITEMS = 98;

/**
 * An entry is two items. An entry that changes may also leave its place on a day, two ledger pages, a calendar
 * month and a project's totals.
 */
const ITEMS_OF_ENTRY = 2;
const ITEMS_OF_CHANGED = ITEMS_OF_ENTRY + 5;
/** An entry that is removed leaves a note of its removal. */
const ITEMS_OF_REMOVED = ITEMS_OF_ENTRY + 1;

/** Far below the 1 MiB of a message and the 4 MB of a transaction, whatever the rows contain. */
const MAX_UNIT_BYTES = 200_000;

/**
 * Sorts rows by their ledger cells, then packs into each unit as many rows as one transaction takes. Sorted rows
 * touch few cells. An import costs the items of its transactions, and other work shares the cells.
 */
export function unitsOf(rows: readonly PlannedRow[], updateChanged: boolean): ImportUnit[] {
  const cells = rows.map((row) => ({ row, cell: { ...row, entryDate: row.date } }));
  const sorted = cells.sort((one, other) => compareCells(one.cell, other.cell));
  const packs = packed(sorted, {
    itemsOfEach: updateChanged ? ITEMS_OF_CHANGED : ITEMS_OF_ENTRY,
    sharedItems: ({ cell }) => sharedItems(cell),
    bytes: ({ row }) => jsonBytes(row),
    maxBytes: MAX_UNIT_BYTES,
  });
  return packs.map((pack, number) => ({ number, rows: pack.map(({ row }) => row) }));
}

/** Groups entries so that one transaction can remove each group. */
export function removalsOf<E extends Entry>(entries: readonly E[]): E[][] {
  return packed(entries.toSorted(compareCells), {
    itemsOfEach: ITEMS_OF_REMOVED,
    sharedItems,
    bytes: () => 0,
    maxBytes: 1,
  });
}

type CellOf = Pick<Entry, 'projectId' | 'clientId' | 'currency' | 'billable' | 'entryDate'>;

function compareCells(one: CellOf, other: CellOf): number {
  const [a, b] = [cellOf(one), cellOf(other)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function cellOf({ projectId, clientId, currency, billable, entryDate }: CellOf): string {
  return [projectId, clientId, currency, billable, entryDate].join('#');
}

/** What the transaction of an entry touches beside the entry: its ledger pages, its calendar month, its project. */
function sharedItems(entry: CellOf): string[] {
  const { projectId, entryDate } = entry;
  const month = monthOf(entryDate);
  const pages = [month, yearOf(entryDate)].map((period) => cellOf({ ...entry, entryDate: period }));
  return [...pages, month, projectId].filter((item) => item !== null);
}

interface Packing<T> {
  readonly itemsOfEach: number;
  /** Items that several things in a pack may share. */
  readonly sharedItems: (thing: T) => string[];
  readonly bytes: (thing: T) => number;
  readonly maxBytes: number;
}

/** Packs things in their order. Each pack holds as many as one transaction takes. */
function packed<T>(things: readonly T[], { itemsOfEach, sharedItems, bytes, maxBytes }: Packing<T>): T[][] {
  const packs: T[][] = [];
  let shared = new Set<string>();
  let packBytes = 0;
  for (const thing of things) {
    const pack = packs.at(-1) ?? [];
    const together = new Set([...shared, ...sharedItems(thing)]);
    const items = (pack.length + 1) * itemsOfEach + together.size;
    packBytes += bytes(thing);
    if (pack.length > 0 && items <= MAX_ITEMS && packBytes <= maxBytes) {
      pack.push(thing);
      shared = together;
    } else {
      packs.push([thing]);
      shared = new Set(sharedItems(thing));
      packBytes = bytes(thing);
    }
  }
  return packs;
}

/** The size of the rows in one message to the worker. It leaves room in 1 MiB for the JSON around the rows. */
const MAX_CHUNK_BYTES = 900_000;

/** Puts units into messages, in their order. */
export function chunksOf(units: readonly ImportUnit[]): ImportUnit[][] {
  const chunks: ImportUnit[][] = [];
  let chunkBytes = 0;
  for (const unit of units) {
    const chunk = chunks.at(-1);
    const bytes = jsonBytes(unit);
    chunkBytes += bytes;
    if (chunk && chunkBytes <= MAX_CHUNK_BYTES) chunk.push(unit);
    else {
      chunks.push([unit]);
      chunkBytes = bytes;
    }
  }
  return chunks;
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(messageText(value));
}
