import { monthOf, yearOf } from '#shared/domain/date-range.ts';
import { messageText } from '#shared/domain/message-text.ts';
import type { Violation } from '#shared/domain/problems.ts';
import { type Entry, type ProjectTerms, priceOf } from '#shared/domain/tracker/entry.ts';
import type { ImportJob } from './import-job.ts';
import type { IdentifiedRow } from './row.ts';

/** What becomes of reviewed rows: the rules that they must keep, the entries that they make, and the transactions that write these. */

/** Which of the organization's ids each remote name stands for; null, or no name: none. */
export interface Mappings {
  readonly clients: ReadonlyMap<string, string | null>;
  readonly projects: ReadonlyMap<string, string | null>;
}

/** What the mappings name, as far as the organization has it. */
export interface MappedObjects {
  readonly clients: ReadonlyMap<string, unknown>;
  readonly projects: ReadonlyMap<string, ProjectTerms>;
}

/** A row with its links and price resolved: all that is needed to make the entry. */
export interface PlannedRow {
  readonly entryId: string;
  readonly content: string;
  readonly externalId: string | null;
  readonly date: string;
  readonly durationMinutes: number;
  readonly description: string;
  /** The client's name at the provider, for an entry without a client */
  readonly client: string | null;
  readonly billable: boolean;
  readonly rate: string | null;
  readonly currency: string;
  readonly clientId: string | null;
  readonly projectId: string | null;
}

interface Refusal {
  /** In the order of the mappings, then of the rows */
  readonly violations: readonly Violation[];
  readonly invalidRows: number;
}

/** Which rules rows and mappings break: what a name stands for exists, and a project belongs to the client that stands beside it. */
export function brokenRules(rows: readonly IdentifiedRow[], mappings: Mappings, mapped: MappedObjects): Refusal {
  const ofRows = rows.map((row, position) => rowViolations(row, `rows.${position}`, mappings, mapped));
  return {
    violations: [
      ...missingTargets('clientMapping', mappings.clients, mapped.clients),
      ...missingTargets('projectMapping', mappings.projects, mapped.projects),
      ...ofRows.flat(),
    ],
    invalidRows: ofRows.filter(({ length }) => length > 0).length,
  };
}

function missingTargets(
  path: string,
  mapping: ReadonlyMap<string, string | null>,
  known: ReadonlyMap<string, unknown>,
): Violation[] {
  const missing = [...mapping].filter(([, id]) => id !== null && !known.has(id));
  return missing.map(([name]) => ({ path: `${path}.${name}`, message: NOT_OWNED, code: 'reference_not_found' }));
}

const NOT_OWNED = 'The organization has nothing with this id.';

function rowViolations(row: IdentifiedRow, path: string, mappings: Mappings, mapped: MappedObjects): Violation[] {
  const { clientId, projectId } = targetsOf(row, mappings);
  const project = projectId === null ? null : mapped.projects.get(projectId);
  const violations: Violation[] = [];
  if (clientId !== null && !mapped.clients.has(clientId)) {
    violations.push({ path: `${path}.client`, message: NOT_OWNED, code: 'reference_not_found' });
  }
  if (project === undefined) {
    violations.push({ path: `${path}.project`, message: NOT_OWNED, code: 'reference_not_found' });
  } else if (clientId !== null && project !== null && !isOfClient(project, clientId)) {
    violations.push({ path: `${path}.project`, message: OTHER_CLIENT, code: 'client_mismatch' });
  }
  return violations;
}

const OTHER_CLIENT = 'The mapped project belongs to another client than the mapped one.';

function isOfClient(project: ProjectTerms, clientId: string): boolean {
  return project.clientId === null || project.clientId === clientId;
}

function targetsOf({ client, project }: IdentifiedRow, { clients, projects }: Mappings) {
  return {
    clientId: (client === null ? null : clients.get(client)) ?? null,
    projectId: (project === null ? null : projects.get(project)) ?? null,
  };
}

/** @param row that breaks no rule */
export function planRow(
  row: IdentifiedRow,
  mappings: Mappings,
  mapped: MappedObjects,
  organizationCurrency: string,
): PlannedRow {
  const { clientId, projectId } = targetsOf(row, mappings);
  const project = (projectId === null ? null : mapped.projects.get(projectId)) ?? null;
  const { entryId, content, externalId, date, durationMinutes, description, client, billable } = row;
  return {
    entryId,
    content,
    externalId,
    date,
    durationMinutes,
    description,
    client,
    billable,
    ...rowPrice(row, project, organizationCurrency),
    clientId: clientId ?? project?.clientId ?? null,
    projectId: project?.id ?? null,
  };
}

/**
 * A row without a rate takes the mapped project's, as any entry does; a rate without a currency is one of the organization's. A row without a
 * rate that is in the organization's currency says no more than one without both: a preview fills in that currency where the provider knows none.
 */
function rowPrice({ rate, currency }: IdentifiedRow, project: ProjectTerms | null, organizationCurrency: string) {
  const isPriced = rate !== null || (currency !== null && currency !== organizationCurrency);
  const wanted = {
    rate: rate ?? undefined,
    currency: isPriced ? (currency ?? organizationCurrency) : undefined,
  };
  return priceOf(wanted, project, organizationCurrency);
}

/** The row without links to what has been deleted since it was planned. */
export function withoutGone(row: PlannedRow, mapped: MappedObjects): PlannedRow {
  const isGone = (id: string | null, known: ReadonlyMap<string, unknown>) => id !== null && !known.has(id);
  return {
    ...row,
    clientId: isGone(row.clientId, mapped.clients) ? null : row.clientId,
    projectId: isGone(row.projectId, mapped.projects) ? null : row.projectId,
  };
}

/** An import makes its entries at its own start, so that one that is made again is the same. */
export function importedEntry(row: PlannedRow, job: ImportJob): Entry {
  return {
    id: row.entryId,
    organizationId: job.organizationId,
    userId: job.userId,
    startedAt: null,
    endedAt: null,
    source: 'remote_api',
    timerSessionId: null,
    invoiceId: null,
    claimId: null,
    ...workOf(row),
    imported: {
      jobId: job.id,
      accountId: job.accountId,
      externalId: row.externalId,
      content: row.content,
      isEdited: false,
    },
    createdAt: job.createdAt,
    updatedAt: job.createdAt,
  };
}

/** What a row says about work. */
function workOf(row: PlannedRow) {
  return {
    description: row.description,
    entryDate: row.date,
    durationMinutes: row.durationMinutes,
    billable: row.billable,
    rate: row.rate,
    currency: row.currency,
    clientId: row.clientId,
    clientLabel: row.clientId === null ? row.client : null,
    projectId: row.projectId,
  };
}

/** The entry as the provider now has it. It stays the work of the job that made it. */
function updatedEntry(entry: Entry, row: PlannedRow, job: ImportJob): Entry {
  return {
    ...entry,
    ...workOf(row),
    startedAt: null,
    endedAt: null,
    imported: entry.imported && { ...entry.imported, content: row.content, isEdited: false },
    updatedAt: job.createdAt,
  };
}

/**
 * What a row does to the entry that lies under its id: null, nothing. A row that is there is skipped; where changed rows are wanted,
 * an entry that was imported from another content is updated, unless an invoice has claimed it.
 *
 * @param stored undefined where there is none
 */
export function outcomeOf(row: PlannedRow, stored: Entry | undefined, job: ImportJob): Entry | null {
  if (!stored) return importedEntry(row, job);
  return wantsUpdate(row, stored, job) && stored.invoiceId === null ? updatedEntry(stored, row, job) : null;
}

/**
 * Whether a row is to change the entry that lies under its id, unless an invoice has claimed that. What somebody has edited here changes only when
 * somebody wants it.
 */
export function wantsUpdate(row: PlannedRow, { imported }: Entry, { updateChanged, trigger }: ImportJob): boolean {
  if (!updateChanged || imported === null || imported.content === row.content) return false;
  return trigger === 'confirm' || !imported.isEdited;
}

/** Rows that are imported in one transaction, all or none. */
export interface ImportUnit {
  readonly number: number;
  readonly rows: readonly PlannedRow[];
}

/** DynamoDB's limit of 100 items, but for the two of the job: the mark of the unit and the counters. */
const MAX_ITEMS = 98;

/** An entry is two items. One that changes may also leave its place on a day, two ledger pages, a calendar month and a project's totals. */
const ITEMS_OF_ENTRY = 2;
const ITEMS_OF_CHANGED = ITEMS_OF_ENTRY + 5;
/** One that is removed leaves a note that it was. */
const ITEMS_OF_REMOVED = ITEMS_OF_ENTRY + 1;

/** Far below the 1 MiB of a message and the 4 MB of a transaction, whatever the rows say. */
const MAX_UNIT_BYTES = 200_000;

/**
 * Sorts rows by their ledger cells and packs as many into a unit as one transaction takes, so that it touches few cells: the items of a
 * transaction are what an import costs, and the cells are what it shares with everybody else's work.
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

/** Entries in groups of which each can be removed in one transaction. */
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

/** What the transaction of an entry touches beside it: its ledger pages, its calendar month, its project. */
function sharedItems(entry: CellOf): string[] {
  const { projectId, entryDate } = entry;
  const month = monthOf(entryDate);
  const pages = [month, yearOf(entryDate)].map((period) => cellOf({ ...entry, entryDate: period }));
  return [...pages, month, projectId].filter((item) => item !== null);
}

interface Packing<T> {
  readonly itemsOfEach: number;
  /** Items that several of a pack may have in common. */
  readonly sharedItems: (thing: T) => string[];
  readonly bytes: (thing: T) => number;
  readonly maxBytes: number;
}

/** Packs things in their order, as many into each pack as a transaction takes. */
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

/** As many rows as are sent to the worker at once: room for the JSON around them is left in a message of 1 MiB. */
const MAX_CHUNK_BYTES = 900_000;

/** Units in messages, in their order. */
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
