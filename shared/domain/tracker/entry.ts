import { workAmountMinor } from '#shared/domain/money.ts';
import { Problem } from '#shared/domain/problems.ts';
import { type Holds, invoiceOf } from './hold.ts';
import { assertSameClient, type ProjectTerms, priceOf, type WantedLinks } from './project-terms.ts';
import { type ClockTimes, minutesOf, moveToDate, plusMinutes, type Span, spanOf } from './work-time.ts';

/** Work entries: what is stored of them, and how they change. */

export const ENTRY_SOURCES = ['native_tracker', 'remote_api'] as const;

type EntrySource = (typeof ENTRY_SOURCES)[number];

/** The longest duration of an entry: a year of 365 days. */
export const MAX_DURATION_MINUTES = 525_600;

/** What is stored of an entry. The rest (`quantity`, `amount`, `billingStatus`) is derived. */
export interface Entry {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly description: string;
  /** `YYYY-MM-DD`, UTC */
  readonly entryDate: string;
  /** ISO 8601. Both are set or neither. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly durationMinutes: number;
  readonly billable: boolean;
  /** Decimal string, by the hour. Fixed when the entry is written. */
  readonly rate: string | null;
  readonly currency: string;
  readonly source: EntrySource;
  readonly timerSessionId: string | null;
  readonly clientId: string | null;
  /** The name of a deleted client, or of a remote client without a match; null while a client is linked. */
  readonly clientLabel: string | null;
  readonly projectId: string | null;
  /** The hold of the invoice that bills the entry, if it still holds the entry (`hold.ts`). */
  readonly holdId: string | null;
  /** Null if the entry was not imported. */
  readonly imported: ImportOrigin | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Where an imported entry comes from. The interface does not show it. */
interface ImportOrigin {
  readonly jobId: string;
  readonly accountId: string;
  readonly externalId: string | null;
  /** Digest of the row that the entry was last imported from (`shared/domain/remote/row.ts`). */
  readonly content: string;
  /** Whether somebody has changed the entry since that import. */
  readonly isEdited: boolean;
}

export interface EntryDraft {
  readonly description: string;
  readonly durationMinutes: number;
  readonly entryDate: string;
  readonly startTime?: string;
  readonly endTime?: string;
  readonly billable: boolean;
  readonly rate?: string;
  readonly currency?: string;
}

/** What a PATCH may change except links, which are resolved before. */
export type EntryChanges = Partial<EntryDraft>;

interface Owner {
  readonly organizationId: string;
  readonly userId: string;
  readonly currency: string;
}

/** Keeps the duration as sent: a break may lie between the clock times. The client defaults to the project's. */
export function newEntry(
  draft: EntryDraft & Pick<WantedLinks, 'clientId'>,
  project: ProjectTerms | null,
  owner: Owner,
  id: string,
  now: Date,
): Entry {
  const { description, durationMinutes, entryDate, billable } = draft;
  const clockTimes = clockTimesOf(draft);
  const clientId = draft.clientId === undefined ? (project?.clientId ?? null) : draft.clientId;
  assertSameClient(clientId, project);
  return {
    id,
    organizationId: owner.organizationId,
    userId: owner.userId,
    description,
    entryDate,
    ...(clockTimes ? spanOf(entryDate, clockTimes) : { startedAt: null, endedAt: null }),
    durationMinutes,
    billable,
    ...priceOf(draft, project, owner.currency),
    source: 'native_tracker',
    timerSessionId: null,
    clientId,
    clientLabel: null,
    projectId: project?.id ?? null,
    holdId: null,
    imported: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}

function clockTimesOf({ startTime, endTime }: Partial<ClockTimes>): ClockTimes | undefined {
  return startTime !== undefined && endTime !== undefined ? { startTime, endTime } : undefined;
}

/**
 * Applies a PATCH. If an entry without a rate gets a project, it takes the project's rate and currency, as a new
 * entry would. A rate that is set stays until a PATCH names a rate. An entry that gets a project also gets the
 * project's client, unless the PATCH names a client. Links that stay are not checked again: when a project moves to
 * another client, its entries can still be edited.
 *
 * @param project the project that the entry is linked to after the PATCH
 */
export function reviseEntry(
  entry: Entry,
  changes: EntryChanges & Pick<WantedLinks, 'clientId'>,
  project: ProjectTerms | null,
  now: Date,
): Entry {
  const isNewProject = project !== null && project.id !== entry.projectId;
  const inherits = isNewProject && entry.rate === null && changes.rate === undefined;
  const price = inherits ? priceOf(changes, project, entry.currency) : { rate: entry.rate, currency: entry.currency };
  const inheritedClientId = (isNewProject ? project.clientId : null) ?? entry.clientId;
  const clientId = changes.clientId === undefined ? inheritedClientId : changes.clientId;
  if (isNewProject || clientId !== entry.clientId) assertSameClient(clientId, project);
  return {
    ...entry,
    description: changes.description ?? entry.description,
    billable: changes.billable ?? entry.billable,
    rate: changes.rate ?? price.rate,
    currency: changes.currency ?? price.currency,
    ...timesAfter(entry, changes),
    clientId,
    clientLabel: clientId === null ? entry.clientLabel : null,
    projectId: project?.id ?? null,
    imported: entry.imported && { ...entry.imported, isEdited: true },
    updatedAt: now.toISOString(),
  };
}

type Times = Pick<Entry, 'entryDate' | 'startedAt' | 'endedAt' | 'durationMinutes'>;

/**
 * Both clock times without a duration set the duration to their span. A new duration without clock times moves the
 * end. A new date moves both clock times.
 */
function timesAfter(entry: Entry, changes: EntryChanges): Times {
  const entryDate = changes.entryDate ?? entry.entryDate;
  const clockTimes = clockTimesOf(changes);
  if (clockTimes) {
    const span = spanOf(entryDate, clockTimes);
    return { entryDate, ...span, durationMinutes: changes.durationMinutes ?? minutesOf(span) };
  }
  const durationMinutes = changes.durationMinutes ?? entry.durationMinutes;
  const span = storedSpan(entry);
  if (!span) return { entryDate, startedAt: null, endedAt: null, durationMinutes };
  const moved = moveToDate(span, entry.entryDate, entryDate);
  const endedAt = changes.durationMinutes === undefined ? moved.endedAt : plusMinutes(moved.startedAt, durationMinutes);
  return { entryDate, startedAt: moved.startedAt, endedAt, durationMinutes };
}

function storedSpan({ startedAt, endedAt }: Entry): Span | undefined {
  return startedAt !== null && endedAt !== null ? { startedAt, endedAt } : undefined;
}

/** @throws Problem `entry_invoiced` because an entry on an invoice is as fixed as the invoice */
export function assertNotInvoiced(entry: Entry, holds: Holds): void {
  const invoiceId = invoiceOf(entry, holds);
  if (invoiceId !== null) throw new Problem('entry_invoiced', { detail: `The entry is on the invoice ${invoiceId}.` });
}

/** The amount in minor units that every total counts: zero if the entry is not billable or has no rate. */
export function amountMinorOf({ billable, rate, durationMinutes, currency }: Entry): bigint {
  return billable && rate !== null ? workAmountMinor(durationMinutes, rate, currency) : 0n;
}
