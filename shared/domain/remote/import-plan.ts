import { monthOf, yearOf } from '#shared/domain/date-range.ts';
import { messageText } from '#shared/domain/message-text.ts';
import type { Violation } from '#shared/domain/problems.ts';
import { type Entry, type ProjectTerms, priceOf } from '#shared/domain/tracker/entry.ts';
import type { ImportJob } from './import-job.ts';
import type { IdentifiedRow } from './row.ts';

/** What becomes of reviewed rows: the rules they must keep, the entries they make, and the transactions for these. */

/** The id in the organization that each remote name stands for. Null, or a missing name, means none. */
export interface Mappings {
  readonly clients: ReadonlyMap<string, string | null>;
  readonly projects: ReadonlyMap<string, string | null>;
}

/** The objects named by the mappings, as far as the organization has them. */
export interface MappedObjects {
  readonly clients: ReadonlyMap<string, unknown>;
  readonly projects: ReadonlyMap<string, ProjectTerms>;
}

/** A row with its links and price resolved: all that an entry needs. */
export interface PlannedRow {
  readonly entryId: string;
  readonly content: string;
  readonly externalId: string | null;
  readonly date: string;
  readonly durationMinutes: number;
  readonly description: string;
  /** The client's name at the provider, for an entry without a client. */
  readonly client: string | null;
  readonly billable: boolean;
  readonly rate: string | null;
  readonly currency: string;
  readonly clientId: string | null;
  readonly projectId: string | null;
}

interface Refusal {
  /** Mappings come first, then rows, each in their order. */
  readonly violations: readonly Violation[];
  readonly invalidRows: number;
}

/** The rules that rows and mappings break. Mapped objects must exist, and a project must belong to its row's client. */
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

/** @param row a row that breaks no rule */
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
 * A row without a rate takes the rate of the mapped project, as any entry does. A row with a rate but no currency
 * is in the organization's currency. A row without a rate may name the organization's currency: that counts as
 * naming none, because a preview fills it in where the provider knows no currency.
 */
function rowPrice({ rate, currency }: IdentifiedRow, project: ProjectTerms | null, organizationCurrency: string) {
  const isPriced = rate !== null || (currency !== null && currency !== organizationCurrency);
  const wanted = {
    rate: rate ?? undefined,
    currency: isPriced ? (currency ?? organizationCurrency) : undefined,
  };
  return priceOf(wanted, project, organizationCurrency);
}

/** The row without links to objects that were deleted since it was planned. */
export function withoutGone(row: PlannedRow, mapped: MappedObjects): PlannedRow {
  const isGone = (id: string | null, known: ReadonlyMap<string, unknown>) => id !== null && !known.has(id);
  return {
    ...row,
    clientId: isGone(row.clientId, mapped.clients) ? null : row.clientId,
    projectId: isGone(row.projectId, mapped.projects) ? null : row.projectId,
  };
}

/** Entries are created as of the job's start, so importing a row again makes the same entry. */
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

/** The entry as the provider has it now. It still belongs to the job that made it. */
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
 * What a row does to the entry under its id; null: nothing. A row that is there already is skipped. If changed rows
 * are wanted, an entry that was imported from different content is updated, unless an invoice has claimed it.
 *
 * @param stored undefined if there is no such entry
 */
export function outcomeOf(row: PlannedRow, stored: Entry | undefined, job: ImportJob): Entry | null {
  if (!stored) return importedEntry(row, job);
  return wantsUpdate(row, stored, job) && stored.invoiceId === null ? updatedEntry(stored, row, job) : null;
}

/**
 * Whether a row should change the entry under its id, unless an invoice has claimed that entry. If somebody has
 * edited the entry here, a confirm may change it, but a scheduled sync may not.
 */
export function wantsUpdate(row: PlannedRow, { imported }: Entry, { updateChanged, trigger }: ImportJob): boolean {
  if (!updateChanged || imported === null || imported.content === row.content) return false;
  return trigger === 'confirm' || !imported.isEdited;
}

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
