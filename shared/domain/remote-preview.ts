import { assertRange } from './date-range.ts';
import type { Entry } from './entry.ts';
import type { ConfidentMappings } from './mapping.ts';
import { Problem } from './problems.ts';
import type { Visibility } from './remote-connection.ts';
import type { IdentifiedRow } from './remote-row.ts';
import { dateOf } from './work-time.ts';

/** What a preview says of fetched rows (decisions, section 7). */

interface DateRange {
  /** `YYYY-MM-DD`, both inclusive */
  readonly from: string;
  readonly to: string;
}

const DEFAULT_DAYS = 30;
const MILLISECONDS_PER_DAY = 86_400_000;

/** @throws Problem `invalid_date_range` */
export function previewRange(wanted: { readonly dateFrom?: string; readonly dateTo?: string }, now: Date): DateRange {
  const to = wanted.dateTo ?? dateOf(now);
  const from = wanted.dateFrom ?? dateOf(new Date(Date.parse(to) - DEFAULT_DAYS * MILLISECONDS_PER_DAY));
  assertRange(from, to);
  return { from, to };
}

/** What the provider has in the range. */
interface Fetched {
  readonly rows: readonly IdentifiedRow[];
  readonly skippedEntries: number;
  readonly skippedIds: readonly string[];
  readonly totalEntries: number;
}

/** What the organization has. */
interface Known {
  /** The entries that the rows were imported as before, by id. */
  readonly stored: ReadonlyMap<string, Pick<Entry, 'imported'>>;
  /** The entries of the range that were imported from the account. */
  readonly imported: readonly Entry[];
  readonly mappings: ConfidentMappings;
  readonly visibility: Visibility;
  /** Which a row without a currency is in. */
  readonly currency: string;
}

/** @throws Problem `too_many_remote_entries` when the rows are too long for one answer */
export function preview(range: DateRange, { rows, skippedIds, ...totals }: Fetched, known: Known) {
  const { clientMapping, projectMapping, ...unmapped } = known.mappings;
  const presented = rows.map((row) => presentRow(row, known));
  assertFits(presented);
  const count = (status: RowStatus) => presented.filter((row) => row.status === status).length;
  return {
    provider: 'remote_api' as const,
    dateRange: range,
    visibility: known.visibility,
    ...totals,
    newEntries: count('new'),
    duplicateEntries: count('duplicate') + count('changed'),
    changedEntries: count('changed'),
    rows: presented,
    clientMapping: Object.fromEntries(clientMapping),
    projectMapping: Object.fromEntries(projectMapping),
    ...unmapped,
    missingEntries: missingEntries(known.imported, [...rows.map(({ externalId }) => externalId), ...skippedIds]),
  };
}

type RowStatus = 'new' | 'duplicate' | 'changed';

function presentRow({ entryId, content, ...row }: IdentifiedRow, { stored, currency }: Known) {
  const before = stored.get(entryId);
  return {
    ...row,
    rate: row.rate === null ? null : Number(row.rate),
    currency: row.currency ?? currency,
    status: statusOf(before, content),
  };
}

function statusOf(stored: Pick<Entry, 'imported'> | undefined, content: string): RowStatus {
  if (!stored) return 'new';
  return stored.imported?.content === content ? 'duplicate' : 'changed';
}

/** What the provider once had. Rows without an external id cannot be told to be gone. */
function missingEntries(imported: readonly Entry[], present: readonly (string | null)[]) {
  const ids = new Set(present);
  return imported.flatMap(({ id, entryDate, durationMinutes, description, ...entry }) => {
    const externalId = entry.imported?.externalId ?? null;
    return externalId === null || ids.has(externalId)
      ? []
      : [{ workEntryId: id, externalId, date: entryDate, durationMinutes, description }];
  });
}

/** A function's answer has at most 6 MB, in which every quotation mark counts twice. */
const MAX_ROWS_BYTES = 5_000_000;

function assertFits(rows: readonly unknown[]): void {
  if (Buffer.byteLength(JSON.stringify(rows)) <= MAX_ROWS_BYTES) return;
  const message = 'The entries of this range of dates are too long for one answer: ask for a narrower one.';
  throw new Problem('too_many_remote_entries', {
    detail: message,
    errors: [{ path: 'dateFrom', message, code: 'too_many_remote_entries' }],
  });
}
