import { bytesInAnswer, MAX_ANSWER_BYTES } from '#shared/domain/answer-size.ts';
import { assertRange } from '#shared/domain/date-range.ts';
import { isLocked, type LockedThrough } from '#shared/domain/lock.ts';
import { fault, type Problem } from '#shared/domain/problems.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';
import { type IsoDate, plusDays } from '#shared/domain/tracker/work-time.ts';
import type { Visibility } from './connection.ts';
import type { HeldBack } from './held-back.ts';
import type { ConfidentMappings } from './mapping.ts';
import type { IdentifiedRow, RemoteRow } from './row.ts';
import type { UnusableEntry } from './unusable-entry.ts';

interface DateRange {
  readonly from: IsoDate;
  readonly to: IsoDate;
}

const DEFAULT_DAYS = 30;

export function previewRange(wanted: { readonly dateFrom?: IsoDate }, to: IsoDate): DateRange {
  const from = wanted.dateFrom ?? plusDays(to, -DEFAULT_DAYS);
  assertRange(from, to);
  return { from, to };
}

/** What the provider shows. */
export interface FetchedRows<Row = RemoteRow> {
  readonly rows: readonly Row[];
  /** Running timers, entries without a duration and unusable ones, which have no rows */
  readonly skippedEntries: number;
  readonly skippedIds: readonly string[];
  readonly unusableEntries: readonly UnusableEntry[];
  /** Including the skipped ones */
  readonly totalEntries: number;
}

type Stored = ReadonlyMap<string, Pick<Entry, 'imported' | 'entryDate'>>;

interface Known {
  /** The entries of these rows, by id. */
  readonly stored: Stored;
  /** The entries from this account in the range. */
  readonly imported: readonly Entry[];
  readonly heldBack: readonly Pick<HeldBack, 'entryId' | 'content' | 'lockedDate'>[];
  readonly lockedThrough: LockedThrough;
  readonly mappings: ConfidentMappings;
  readonly visibility: Visibility;
}

export const MAX_UNUSABLE_ENTRIES = 100;

export function preview(
  range: DateRange,
  { rows, skippedIds, unusableEntries, ...totals }: FetchedRows<IdentifiedRow>,
  known: Known,
) {
  const names = presentMappings(known.mappings);
  const waiting = waitingEntries(known);
  const presented = rows.map((row) => presentRow(row, known, waiting));
  const missing = missingEntries(known.imported, [...rows.map(({ externalId }) => externalId), ...skippedIds]);
  const unusable = unusableEntries.slice(0, MAX_UNUSABLE_ENTRIES);
  assertFits([names, ...presented, ...missing, ...unusable], () =>
    tooManyRemoteEntries('The preview of this range of dates is too long for one answer'),
  );
  const count = counterOf(presented);
  return {
    provider: 'remote_api' as const,
    dateRange: range,
    visibility: known.visibility,
    ...totals,
    newEntries: count('new'),
    duplicateEntries: count('duplicate') + count('changed'),
    changedEntries: count('changed'),
    rows: presented,
    ...names,
    missingEntries: missing,
    unusableEntries: unusable,
  };
}

/** What an import of rows from anywhere would do. @param stored the entries of these rows, by id */
export function rehearsal(
  rows: readonly IdentifiedRow[],
  { stored, mappings, lockedThrough }: Pick<Known, 'stored' | 'mappings' | 'lockedThrough'>,
) {
  const met = new Set<string>();
  const presented = rows.map(({ entryId, content, ...row }) => {
    const entry = stored.get(entryId);
    const status = met.has(entryId) ? ('duplicate' as const) : statusOf(entry, content);
    met.add(entryId);
    const rate = row.rate === null ? null : Number(row.rate);
    return { ...row, rate, status, isLocked: isRowLocked(row, entry, lockedThrough) };
  });
  const names = presentMappings(mappings);
  assertFits([names, ...presented], tooLargeRehearsal);
  const count = counterOf(presented);
  return {
    totalRows: rows.length,
    newRows: count('new'),
    duplicateRows: count('duplicate') + count('changed'),
    changedRows: count('changed'),
    rows: presented,
    ...names,
  };
}

function presentMappings({ clientMapping, projectMapping, userMapping, ...unmapped }: ConfidentMappings) {
  return {
    clientMapping: Object.fromEntries(clientMapping),
    projectMapping: Object.fromEntries(projectMapping),
    userMapping: Object.fromEntries(userMapping),
    ...unmapped,
  };
}

function counterOf(presented: readonly { readonly status: RowStatus }[]): (status: RowStatus) => number {
  return (status) => presented.filter((row) => row.status === status).length;
}

type RowStatus = 'new' | 'duplicate' | 'changed';

/** Once an entry is free, a confirm may make the change that is remembered, before a sync finds that. */
function waitingEntries({ heldBack, stored }: Known): Set<string> {
  const ofInvoices = heldBack.filter(({ lockedDate }) => lockedDate === null);
  const waiting = ofInvoices.filter(({ entryId, content }) => stored.get(entryId)?.imported?.content !== content);
  return new Set(waiting.map(({ entryId }) => entryId));
}

function presentRow(
  { entryId, content, ...row }: IdentifiedRow,
  { stored, lockedThrough }: Known,
  waiting: ReadonlySet<string>,
) {
  const entry = stored.get(entryId);
  const status = statusOf(entry, content);
  return {
    ...row,
    rate: row.rate === null ? null : Number(row.rate),
    status,
    heldBack: status === 'changed' && waiting.has(entryId),
    isLocked: isRowLocked(row, entry, lockedThrough),
  };
}

function statusOf(stored: Pick<Entry, 'imported'> | undefined, content: string): RowStatus {
  if (!stored) return 'new';
  return stored.imported?.content === content ? 'duplicate' : 'changed';
}

/** An entry may be on another date than its row by now. */
function isRowLocked(
  { date }: Pick<IdentifiedRow, 'date'>,
  stored: Pick<Entry, 'entryDate'> | undefined,
  lockedThrough: LockedThrough,
): boolean {
  return isLocked(date, lockedThrough) || (stored !== undefined && isLocked(stored.entryDate, lockedThrough));
}

/** Entries without an external id cannot be known to be missing. */
function missingEntries(imported: readonly Entry[], present: readonly (string | null)[]) {
  const ids = new Set(present);
  return imported.flatMap(({ id, entryDate, durationMinutes, description, ...entry }) => {
    const externalId = entry.imported?.externalId ?? null;
    return externalId === null || ids.has(externalId)
      ? []
      : [{ workEntryId: id, externalId, date: entryDate, durationMinutes, description }];
  });
}

function assertFits(parts: readonly unknown[], problem: () => Problem): void {
  let bytes = 0;
  for (const part of parts) {
    bytes += bytesInAnswer(JSON.stringify(part));
    if (bytes > MAX_ANSWER_BYTES) throw problem();
  }
}

export function tooLargeRehearsal(): Problem {
  return fault('validation_failed', 'rows', 'The rows are too long for one answer: try fewer of them.');
}

export function tooManyRemoteEntries(reason: string): Problem {
  return fault('too_many_remote_entries', 'dateFrom', `${reason}: ask for a narrower one.`);
}
