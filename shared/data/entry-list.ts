import { setTimeout as sleep } from 'node:timers/promises';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { countOf, type PeriodWindow, periodsOf, windowsOf } from '#shared/domain/counted-page.ts';
import { monthOf, monthsTouched } from '#shared/domain/date-range.ts';
import { fold } from '#shared/domain/text.ts';
import { database, TABLE_NAME } from './client.ts';
import { parseEntry, type StoredEntry } from './entries.ts';
import {
  type Cell,
  type DateRange,
  isDay,
  lookInto,
  type Overview,
  type PeriodCell,
  readLedger,
  readOverview,
  type Sums,
} from './ledger.ts';
import { type LinkedObjects, readLinks } from './links.ts';
import { mapInParallel } from './parallel.ts';
import { cellPartition } from './table.ts';

/**
 * Lists of entries, newest first. The ledger says how many entries each cell of the filter holds, and index `byCell` has a partition for
 * each cell: so the total is known, whole months and days are skipped by their counts, and only the cells of the page are read, in
 * parallel. What a page costs does not depend on how many entries there are, nor on its offset: of each cell of its days it reads up to as
 * many entries as reach from the nearer end of the day through the page, and so at most that day. Only `q` has to read what it searches.
 */

export interface EntryFilter extends DateRange {
  readonly projectId?: string;
  readonly clientId?: string;
  readonly source?: string;
  readonly billable?: boolean;
  readonly q?: string;
}

export interface EntryPage {
  readonly items: readonly StoredEntry[];
  readonly total: number;
  /** What the items are linked to. */
  readonly links: LinkedObjects;
}

export async function listEntries(
  organizationId: string,
  filter: EntryFilter,
  offset: number,
  limit: number,
): Promise<EntryPage> {
  for (let attempt = 1; ; attempt++) {
    const page = await readPage(organizationId, filter, offset, limit);
    const items = page.entries.map(parseEntry);
    const [links, haveAll] = await Promise.all([
      readLinks(organizationId, items),
      haveLostNothing(organizationId, page),
    ]);
    if ((page.isComplete && haveAll) || attempt === MAX_ATTEMPTS) return { items, total: page.total, links };
    await sleep(PAUSE_MILLISECONDS * attempt);
  }
}

/**
 * Between reading the ledger and reading a cell, entries may move to another cell, by hundreds while a worker removes links; and the index follows
 * the table with a delay. Either shows in a month that holds another number than was counted, in a cell that holds less, in an entry that was
 * met twice, or, where a cell was read in part, in less of it when the ledger is asked again: then the page is read again. What does not
 * show is that one entry leaves such a cell and another comes at that moment, that the index does not have it yet, or that one moves between
 * the months and the days of the overview while it is read: the next reading has it.
 */
const MAX_ATTEMPTS = 8;
const PAUSE_MILLISECONDS = 25;

interface Attempt {
  /** What the page was found with. */
  readonly overview: Overview;
  readonly entries: readonly Item[];
  /** Cells with more entries than were read of them. */
  readonly partlyRead: readonly Cell[];
  readonly total: number;
  /** Whether the index held what the ledger promised. */
  readonly isComplete: boolean;
}

async function readPage(organizationId: string, filter: EntryFilter, offset: number, limit: number): Promise<Attempt> {
  const [overview, isOwned] = await Promise.all([
    filter.q || isShort(filter) ? readAllDays(organizationId, filter) : readOverview(organizationId, filter),
    ownsFilterLinks(organizationId, filter),
  ]);
  const periods = [...overview.months, ...overview.days].filter((cell) => isOwned && matches(cell, filter));
  if (filter.q) return { overview, ...(await search(organizationId, periods.filter(isDay), filter.q, offset, limit)) };
  const windows = windowsOf(periodsOf(periods, periodOf), offset, limit);
  const { days, isAsCounted } = await openMonths(organizationId, windows, overview);
  const readings = await Promise.all(days.map((day) => readWindow(organizationId, day)));
  const entries = readings.flatMap((reading) => reading.entries);
  const partlyRead = readings.flatMap((reading) => reading.partlyRead);
  const isComplete = isAsCounted && readings.every((reading) => reading.isComplete) && areDistinct(entries);
  return { overview, entries, partlyRead, total: countOf(periods), isComplete };
}

/** So many months are read by their days at once: that takes little more, and saves the round trip that looks into one of them. */
const MONTHS_BY_DAY = 3;

function isShort({ from, to }: DateRange): boolean {
  return from !== undefined && to !== undefined && monthsTouched({ from, to }) <= MONTHS_BY_DAY;
}

async function readAllDays(organizationId: string, range: DateRange): Promise<Overview> {
  return { months: [], days: await readLedger(organizationId, range) };
}

const dateOf = ({ date }: Cell): string => date;
const periodOf = (cell: PeriodCell): string => (isDay(cell) ? cell.date : cell.month);
const isOfDay = (window: PeriodWindow<PeriodCell>): window is PeriodWindow<Cell> => window.parts.every(isDay);

interface DayWindows {
  readonly days: readonly PeriodWindow<Cell>[];
  /** Whether the months held what the overview had counted in them. */
  readonly isAsCounted: boolean;
}

/** The days of a page that lies in days and in months. */
async function openMonths(
  organizationId: string,
  windows: readonly PeriodWindow<PeriodCell>[],
  overview: Overview,
): Promise<DayWindows> {
  const months = windows.filter((window) => !isOfDay(window)).flatMap(({ parts }) => parts);
  const opened = Map.groupBy(await lookInto(organizationId, months, overview), ({ date }) => monthOf(date));
  const cellsOf = ({ period }: PeriodWindow<PeriodCell>) => opened.get(period) ?? [];
  const days = windows.flatMap((window) =>
    isOfDay(window) ? window : windowsOf(periodsOf(cellsOf(window), dateOf), window.skip, window.take),
  );
  const isAsCounted = windows.every((window) => isOfDay(window) || countOf(cellsOf(window)) === window.count);
  return { days, isAsCounted };
}

/** Whether the cells that were read in part still have as many entries as before: those that have left may lie in a cell that was empty then. */
async function haveLostNothing(organizationId: string, { partlyRead, overview }: Attempt): Promise<boolean> {
  const nameOf = ({ date, dimensions }: Cell) => cellPartition(organizationId, date, dimensions);
  const ledger = await lookInto(organizationId, partlyRead, overview);
  const present = new Map(ledger.map((cell) => [nameOf(cell), cell.entries]));
  return partlyRead.every((cell) => (present.get(nameOf(cell)) ?? 0) >= cell.entries);
}

function areDistinct(entries: readonly Item[]): boolean {
  return new Set(entries.map(({ id }) => id)).size === entries.length;
}

/** Another organization's project, or one that is being deleted, has no entries for anybody. */
async function ownsFilterLinks(organizationId: string, { projectId, clientId }: EntryFilter): Promise<boolean> {
  const linked = { projectId: projectId ?? null, clientId: clientId ?? null };
  const { projects, clients } = await readLinks(organizationId, [linked]);
  return (projectId === undefined || projects.has(projectId)) && (clientId === undefined || clients.has(clientId));
}

function matches({ dimensions }: Sums, { projectId, clientId, source, billable }: EntryFilter): boolean {
  return (
    (projectId === undefined || dimensions.projectId === projectId) &&
    (clientId === undefined || dimensions.clientId === clientId) &&
    (source === undefined || dimensions.source === source) &&
    (billable === undefined || dimensions.billable === billable)
  );
}

type Item = Readonly<Record<string, unknown>>;

type Found = Omit<Attempt, 'overview'>;
type WindowReading = Omit<Found, 'total'>;

/** Reads each cell from the nearer end of the day, since the page may begin deep in it. */
async function readWindow(
  organizationId: string,
  { parts, count, skip, take }: PeriodWindow<Cell>,
): Promise<WindowReading> {
  const isNearerToEnd = count - skip < skip + take;
  const depth = isNearerToEnd ? count - skip : skip + take;
  const ends = await Promise.all(
    parts.map((cell) => readCell(organizationId, cell, { depth, oldestFirst: isNearerToEnd })),
  );
  const newestFirst = ends.flatMap(({ items }) => items).sort(byCellSortDescending);
  return {
    entries: isNearerToEnd ? newestFirst.slice(-depth).slice(0, take) : newestFirst.slice(skip, skip + take),
    partlyRead: parts.filter(({ entries }) => entries > depth),
    isComplete: ends.every(({ isComplete }) => isComplete),
  };
}

function byCellSortDescending(one: Item, other: Item): number {
  return String(one.cellSk) < String(other.cellSk) ? 1 : -1;
}

interface CellReading {
  /** At most so many entries. */
  readonly depth: number;
  readonly oldestFirst?: boolean;
  /** Folded text that the description or the label holds; the whole cell is searched for it. */
  readonly text?: string;
}

export interface CellContent {
  /** As they lie in the index. */
  readonly items: readonly Item[];
  /** Whether the cell held as many entries as the ledger promised, or as were asked for. */
  readonly isComplete: boolean;
}

/** The entries of a cell from index `byCell`. */
export async function readCell(
  organizationId: string,
  { date, dimensions, entries }: Cell,
  { depth, oldestFirst = false, text }: CellReading,
): Promise<CellContent> {
  const promised = Math.min(entries, depth);
  const items: Item[] = [];
  let seen = 0;
  let startKey: Record<string, unknown> | undefined;
  do {
    const page = await database.send(
      new QueryCommand({
        TableName: TABLE_NAME,
        IndexName: 'byCell',
        KeyConditionExpression: 'cellPk = :cell',
        FilterExpression: text && '(contains(foldedDescription, :text) OR contains(foldedLabel, :text))',
        ExpressionAttributeValues: {
          ':cell': cellPartition(organizationId, date, dimensions),
          ...(text && { ':text': text }),
        },
        ScanIndexForward: oldestFirst,
        Limit: text ? undefined : promised - seen,
        ExclusiveStartKey: startKey,
      }),
    );
    items.push(...(page.Items ?? []));
    // Without a text all that was looked at came. The scanned count is no match for it: emulators count what a page of 1 MB had no room for.
    seen += (text ? page.ScannedCount : page.Items?.length) ?? 0;
    startKey = page.LastEvaluatedKey;
  } while (startKey && (text || seen < promised));
  return { items, isComplete: seen >= promised };
}

/** Finds `q` in descriptions and client labels. Where the name of a cell's client holds it, all of the cell's entries match. */
async function search(
  organizationId: string,
  cells: readonly Cell[],
  q: string,
  offset: number,
  limit: number,
): Promise<Found> {
  const text = fold(q);
  const { clients, deletedClients } = await readLinks(
    organizationId,
    cells.map(({ dimensions }) => ({ ...dimensions, projectId: null })),
  );
  const names = [...[...clients].map(([id, { name }]) => [id, name] as const), ...deletedClients];
  const matchingClients = new Set(names.filter(([, name]) => fold(name).includes(text)).map(([id]) => id));
  const found = await mapInParallel(cells, async (cell) => {
    const isMatch = cell.dimensions.clientId !== null && matchingClients.has(cell.dimensions.clientId);
    return readCell(organizationId, cell, { depth: cell.entries, text: isMatch ? undefined : text });
  });
  const newestFirst = found.flatMap(({ items }) => items).sort(byDateAndCellSortDescending);
  return {
    entries: newestFirst.slice(offset, offset + limit),
    partlyRead: [],
    total: newestFirst.length,
    isComplete: found.every(({ isComplete }) => isComplete) && areDistinct(newestFirst),
  };
}

function byDateAndCellSortDescending(one: Item, other: Item): number {
  if (one.entryDate === other.entryDate) return byCellSortDescending(one, other);
  return String(one.entryDate) < String(other.entryDate) ? 1 : -1;
}
