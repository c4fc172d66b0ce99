import { monthOf, yearOf } from '#shared/domain/date-range.ts';
import { messageText } from '#shared/domain/message-text.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';
import type { PlannedRow } from './import-plan.ts';

export interface ImportUnit {
  readonly number: number;
  readonly rows: readonly PlannedRow[];
}

/** DynamoDB takes 100 items. Four are the job's own: the mark of the unit, the counters, the event and the lock. */
const MAX_ITEMS = 96;

/** A changed entry may also leave its day, two ledger pages, a calendar month and a project's totals. */
const ITEMS_OF_ENTRY = 2;
const ITEMS_OF_CHANGED = ITEMS_OF_ENTRY + 5;

/** Far below the limits of a message (1 MiB) and a transaction (4 MB), whatever the rows contain. */
const MAX_UNIT_BYTES = 200_000;

/** Rows are sorted by ledger cell: a unit of few cells holds more rows, and blocks less other work. */
export function unitsOf(rows: readonly PlannedRow[], updateChanged: boolean): ImportUnit[] {
  const cells = rows.map((row) => ({ row, cell: { ...row, entryDate: row.date } }));
  const sorted = cells.sort((one, other) => compareCells(one.cell, other.cell));
  const packs = packed(sorted, {
    itemsOfEach: updateChanged ? ITEMS_OF_CHANGED : ITEMS_OF_ENTRY,
    sharedItems: ({ row, cell }) => [...sharedItems(cell), ...(row.heldBackAt === undefined ? [] : [row.entryId])],
    bytes: ({ row }) => jsonBytes(row),
    maxBytes: MAX_UNIT_BYTES,
  });
  return packs.map((pack, number) => ({ number, rows: pack.map(({ row }) => row) }));
}

export function removalsOf<E extends Entry>(entries: readonly E[]): E[][] {
  return packed(entries.toSorted(compareCells), {
    itemsOfEach: ITEMS_OF_ENTRY,
    sharedItems: (entry) => [...sharedItems(entry), ...(entry.hasMetadata ? [entry.id] : [])],
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

/** The items beside the entry: its ledger pages, its calendar month, its project. */
function sharedItems(entry: CellOf): string[] {
  const { projectId, entryDate } = entry;
  const month = monthOf(entryDate);
  const pages = [month, yearOf(entryDate)].map((period) => cellOf({ ...entry, entryDate: period }));
  return [...pages, month, projectId].filter((item) => item !== null);
}

interface Packing<T> {
  readonly itemsOfEach?: number;
  /** Items that several things of a pack may have in common. */
  readonly sharedItems?: (thing: T) => string[];
  readonly bytes?: (thing: T) => number;
  readonly maxBytes?: number;
}

function packed<T>(things: readonly T[], packing: Packing<T>): T[][] {
  const { itemsOfEach = 0, sharedItems = () => [], bytes = () => 0, maxBytes = Number.POSITIVE_INFINITY } = packing;
  const packs: T[][] = [];
  let shared = new Set<string>();
  let packBytes = 0;
  for (const thing of things) {
    const pack = packs.at(-1) ?? [];
    const size = bytes(thing);
    const together = new Set([...shared, ...sharedItems(thing)]);
    const items = (pack.length + 1) * itemsOfEach + together.size;
    if (pack.length > 0 && items <= MAX_ITEMS && packBytes + size <= maxBytes) {
      pack.push(thing);
      shared = together;
      packBytes += size;
    } else {
      packs.push([thing]);
      shared = new Set(sharedItems(thing));
      packBytes = size;
    }
  }
  return packs;
}

/** Leaves room in 1 MiB for the JSON around the rows. */
const MAX_CHUNK_BYTES = 900_000;

export function chunksOf(units: readonly ImportUnit[]): ImportUnit[][] {
  return packed(units, { bytes: jsonBytes, maxBytes: MAX_CHUNK_BYTES });
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(messageText(value));
}
