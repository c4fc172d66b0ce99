import { isDeepStrictEqual } from 'node:util';
import { hasAny, type Metadata, type MetadataChanges } from '#shared/domain/metadata.ts';
import { type Decimal, workAmountMinor } from '#shared/domain/money.ts';
import type { Owner } from '#shared/domain/owner.ts';
import { Problem } from '#shared/domain/problems.ts';
import { revised } from '#shared/domain/revised.ts';
import { billedMinutesOf, type TimeRounding } from '#shared/domain/time-rounding.ts';
import { type TimeZone, UTC } from '#shared/domain/time-zone.ts';
import { type Holds, invoiceOf } from './hold.ts';
import { assertSameClient, type ProjectTerms, priceOf, type WantedLinks } from './project-terms.ts';
import {
  assertInOrder,
  type ClockTimes,
  clockSpanOf,
  type IsoDate,
  minutesOf,
  moveToDate,
  plusMinutes,
} from './work-time.ts';

export const ENTRY_SOURCES = ['native_tracker', 'remote_api', 'import'] as const;

export const MAX_DURATION_MINUTES = 525_600;

/** The stored part; the rest (`quantity`, `amount`, `billingStatus`) is derived. */
export interface Entry {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly description: string;
  readonly entryDate: IsoDate;
  /** Both are set or neither. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly durationMinutes: number;
  /** By the rule of when they were written, or as given; those of the work unless it is billable. */
  readonly billedMinutes: number;
  readonly billable: boolean;
  readonly rate: Decimal | null;
  readonly currency: string;
  /** One of `ENTRY_SOURCES`, or one that only a newer version knows. */
  readonly source: string;
  readonly timerSessionId: string | null;
  readonly clientId: string | null;
  /** The name of a deleted or unmatched remote client; null while a client is linked. */
  readonly clientLabel: string | null;
  readonly projectId: string | null;
  readonly tags: readonly string[];
  /** The entry is on its invoice only if that hold exists and does not except it (`hold.ts`). */
  readonly holdId: string | null;
  readonly imported: ImportOrigin | null;
  /** They lie beside the entry. */
  readonly hasMetadata?: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Callers see only the label. */
interface ImportOrigin {
  readonly jobId: string;
  readonly accountId: string;
  readonly externalId: string | null;
  /** Digest of the row of the last import (`shared/domain/remote/row.ts`). */
  readonly content: string;
  readonly isEdited: boolean;
  /** The name of the user at the provider. */
  readonly userLabel: string | null;
}

export interface EntryDraft {
  /** By default whoever makes the entry. */
  readonly userId?: string;
  readonly description: string;
  readonly durationMinutes: number;
  /** Null: by the rule. */
  readonly billedMinutes?: number | null;
  readonly entryDate: IsoDate;
  readonly startTime?: string;
  readonly endTime?: string;
  /** Zone of the clock times: the worker's; default UTC. */
  readonly timeZone?: TimeZone;
  readonly billable: boolean;
  /** Null: none, whatever the project has. */
  readonly rate?: Decimal | null;
  readonly currency?: string;
  readonly metadata?: MetadataChanges;
  readonly tags?: readonly string[];
}

export type EntryChanges = Partial<EntryDraft>;

/**
 * Keeps the duration as sent: a break may lie between the clock times.
 *
 * @throws Problem `client_mismatch`, `invalid_time_range` as {@link clockSpanOf}, `validation_failed`
 */
export function newEntry(
  draft: EntryDraft & Pick<WantedLinks, 'clientId'>,
  project: ProjectTerms | null,
  owner: Owner & OrganizationRule,
  id: string,
  now: Date,
): Entry {
  const { description, durationMinutes, entryDate, timeZone = UTC, billable } = draft;
  const clockTimes = clockTimesOf(draft);
  const clientId = draft.clientId === undefined ? (project?.clientId ?? null) : draft.clientId;
  const userId = draft.userId ?? owner.userId;
  assertSameClient(clientId, project);
  return {
    id,
    organizationId: owner.organizationId,
    userId,
    description,
    entryDate,
    ...(clockTimes ? clockSpanOf(entryDate, clockTimes, timeZone) : { startedAt: null, endedAt: null }),
    durationMinutes,
    billedMinutes: billedMinutesOf(draft, ruleFor(project, owner), draft.billedMinutes),
    billable,
    ...priceOf(draft, project, owner.currency, userId),
    source: 'native_tracker',
    timerSessionId: null,
    clientId,
    clientLabel: null,
    projectId: project?.id ?? null,
    tags: draft.tags ?? [],
    holdId: null,
    imported: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}

function clockTimesOf({ startTime, endTime }: Partial<ClockTimes>): ClockTimes | undefined {
  return startTime !== undefined && endTime !== undefined ? { startTime, endTime } : undefined;
}

/** The rule of entries whose project has none. */
export interface OrganizationRule {
  readonly rounding?: TimeRounding | null;
}

export function ruleFor(
  project: Pick<ProjectTerms, 'rounding'> | null | undefined,
  organization: OrganizationRule,
): TimeRounding | null {
  return project?.rounding ?? organization.rounding ?? null;
}

/**
 * Unchanged links are not checked: a project may move to another client while its entries are edited.
 *
 * @throws Problem `client_mismatch`; `invalid_time_range` where a change of summer time puts the start behind the end;
 *   `validation_failed`
 */
export function reviseEntry(
  entry: Entry,
  changes: EntryChanges & Pick<WantedLinks, 'clientId'>,
  project: ProjectTerms | null,
  now: Date,
  organization: OrganizationRule = {},
): Entry {
  const isNewProject = project !== null && project.id !== entry.projectId;
  const inherits = isNewProject && entry.rate === null && changes.rate === undefined;
  const userId = changes.userId ?? entry.userId;
  const price = inherits ? priceOf(changes, project, entry.currency, userId) : entry;
  const inheritedClientId = (isNewProject ? project.clientId : null) ?? entry.clientId;
  const clientId = changes.clientId === undefined ? inheritedClientId : changes.clientId;
  if (isNewProject || clientId !== entry.clientId) assertSameClient(clientId, project);
  const changed = {
    ...entry,
    userId,
    description: changes.description ?? entry.description,
    billable: changes.billable ?? entry.billable,
    rate: changes.rate === undefined ? price.rate : changes.rate,
    currency: changes.currency ?? price.currency,
    ...timesAfter(entry, changes),
    clientId,
    clientLabel: clientId === null ? entry.clientLabel : null,
    projectId: project?.id ?? null,
    tags: changes.tags ?? entry.tags,
  };
  const isKept = changes.billedMinutes === undefined && isSameWork(entry, changed);
  const billedMinutes = isKept
    ? entry.billedMinutes
    : billedMinutesOf(changed, ruleFor(project, organization), changes.billedMinutes);
  const after = revised(entry, { ...changed, billedMinutes }, now);
  return after === entry ? entry : { ...after, imported: entry.imported && { ...entry.imported, isEdited: true } };
}

type Work = Pick<Entry, 'durationMinutes' | 'projectId' | 'billable'>;

/** Then the billed minutes stay. A new rule is no other work, so no amount changes by itself. */
export function isSameWork(before: Work, after: Work): boolean {
  return (
    before.durationMinutes === after.durationMinutes &&
    before.projectId === after.projectId &&
    before.billable === after.billable
  );
}

type Times = Pick<Entry, 'entryDate' | 'startedAt' | 'endedAt' | 'durationMinutes'>;

/** Clock times alone set the duration to their span; a new duration alone moves the end; a new date moves both times. */
function timesAfter(entry: Entry, changes: EntryChanges): Times {
  const { entryDate = entry.entryDate, timeZone = UTC } = changes;
  const clockTimes = clockTimesOf(changes);
  if (clockTimes) {
    const span = clockSpanOf(entryDate, clockTimes, timeZone);
    return { entryDate, ...span, durationMinutes: changes.durationMinutes ?? minutesOf(span) };
  }
  const durationMinutes = changes.durationMinutes ?? entry.durationMinutes;
  const { startedAt: start, endedAt: end } = entry;
  if (start === null || end === null) return { entryDate, startedAt: null, endedAt: null, durationMinutes };
  const onDate = (instant: string) => moveToDate(instant, entry.entryDate, entryDate, timeZone);
  const startedAt = onDate(start);
  if (durationMinutes !== entry.durationMinutes) {
    return { entryDate, startedAt, endedAt: plusMinutes(startedAt, durationMinutes), durationMinutes };
  }
  const moved = { startedAt, endedAt: onDate(end) };
  // A timer may have been stopped at the moment of its start.
  if (start < end) assertInOrder(moved, 'entryDate');
  return { entryDate, ...moved, durationMinutes };
}

export function assertNotInvoiced(entry: Entry, holds: Holds): void {
  const invoiceId = invoiceOf(entry, holds);
  if (invoiceId !== null) throw new Problem('entry_invoiced', { detail: `The entry is on the invoice ${invoiceId}.` });
}

/** No edit of the entry: an import may still change it, and an invoice may have it. */
export function withMetadata<E extends Entry>(entry: E, before: Metadata, after: Metadata, now: Date): E {
  if (isDeepStrictEqual(before, after)) return entry;
  return { ...entry, hasMetadata: hasAny(after), updatedAt: now.toISOString() };
}

/** In minor units; zero if the entry is not billable or has no rate. */
export function amountMinorOf({ billable, rate, billedMinutes, currency }: Entry): bigint {
  return billable && rate !== null ? workAmountMinor(billedMinutes, rate, currency) : 0n;
}
