import { holdEnd, holdReplacement, readHolds, type StoredHold } from '#shared/data/holds/holds.ts';
import { creditNoteInsertion } from '#shared/data/invoices/credit-notes.ts';
import { creditedReplacement, readCredited, type StoredInvoice } from '#shared/data/invoices/invoice-items.ts';
import {
  assertFree,
  type Numbers,
  nextNumber,
  numberWrites,
  readNumbers,
  readSeries,
  type Series,
} from '#shared/data/invoices/numbers.ts';
import { readDating } from '#shared/data/organization/time-zones.ts';
import { Outdated, transact, type Write } from '#shared/data/table/transaction.ts';
import { newVersion } from '#shared/data/table/versioned.ts';
import { readEntries } from '#shared/data/tracker/entries.ts';
import {
  assertCreditable,
  type CreditDraft,
  type Crediting,
  creditDateOf,
  creditInvoice,
} from '#shared/domain/invoices/credit-note.ts';
import { type CreditedTime, entriesToRead } from '#shared/domain/invoices/crediting.ts';
import { assertIssueDate, firstOpenDate } from '#shared/domain/invoices/document-dates.ts';
import { amountMinorOf, type Entry } from '#shared/domain/tracker/entry.ts';

/** One transaction writes the credit note with its number, what is credited by now, and the claims that are let go. */

export interface PlannedCredit extends Crediting {
  readonly before: StoredInvoice;
  /** Of the credit notes before. */
  readonly numbers: Numbers;
  readonly series: Series;
  readonly hold: StoredHold | undefined;
}

interface CreditRequest {
  readonly draft: CreditDraft;
  readonly now: Date;
  readonly newId: () => string;
}

/** @throws Problem those of `creditInvoice`; ConditionFailed when the invoice has changed meanwhile */
export async function planCredit(before: StoredInvoice, { draft, now, newId }: CreditRequest): Promise<PlannedCredit> {
  assertCreditable(before);
  const { organizationId, holdId } = before;
  const credited = await readCredited(before);
  const wanted = entriesToRead(before, credited, draft.lines);
  const [numbers, entries, holds, dating] = await Promise.all([
    readNumbers(organizationId, 'CREDIT_NOTE'),
    readEntries(organizationId, wanted),
    readHolds(organizationId, [{ holdId }]),
    readDating(organizationId, now),
  ]);
  // An entry that is gone was let go by another credit meanwhile.
  if (entries.length < wanted.length) throw new Outdated();
  const times = new Map(entries.map((entry) => [entry.id, timeOf(entry)]));
  const hold = holdId === null ? undefined : holds.get(holdId);
  // The hold of an invoice that can be credited ends only with all its entries.
  if (holdId !== null && !hold) throw new Outdated();
  const wantedDate = creditDateOf(before, draft, dating.today);
  const series = await readSeries(numbers, wantedDate);
  const issueDate = draft.issueDate ?? firstOpenDate(wantedDate, dating, series.issueDate);
  const sources = {
    credited,
    timeOf: (entryId: string) => times.get(entryId),
    issueDate,
    ...nextNumber(numbers, series, issueDate),
    id: newId(),
    newId,
  };
  const crediting = creditInvoice(before, draft, sources, now);
  assertIssueDate(issueDate, dating, series.issueDate);
  return { ...crediting, before, numbers, series, hold };
}

const timeOf = (entry: Entry): CreditedTime => ({
  date: entry.entryDate,
  minutes: entry.billedMinutes,
  workedMinutes: entry.durationMinutes,
  amountMinor: amountMinorOf(entry),
});

/** @throws Problem as {@link saveCredit} */
export function rehearseCredit({ numbers, series, creditNote }: PlannedCredit): Promise<void> {
  return assertFree(numbers, series, creditNote.number);
}

/** @throws Problem `number_taken`; ConditionFailed when the invoice, its hold or the numbers have changed */
export async function saveCredit(plan: PlannedCredit, others: readonly Write[]): Promise<void> {
  const { before, invoice, creditNote, credited, numbers, series } = plan;
  const { holdId, writes } = holdWrites(plan);
  await transact([
    ...(await creditedReplacement(before, invoice, credited, { stateId: creditNote.id, holdId })),
    ...(await creditNoteInsertion(creditNote)),
    ...numberWrites(numbers, series, creditNote),
    ...writes,
    ...others,
  ]);
}

/** A hold of no entry ends. Otherwise it excepts those that are let go. */
function holdWrites({ before, hold, released }: PlannedCredit): { holdId: string | null; writes: readonly Write[] } {
  const { organizationId, holdId, lineItems } = before;
  if (!hold || released.length === 0) return { holdId, writes: [] };
  const except = new Set([...hold.except, ...released]);
  const isHeld = lineItems.some(({ entryIds }) => entryIds.some((id) => !except.has(id)));
  if (!isHeld) return { holdId: null, writes: [holdEnd(organizationId, hold.id)] };
  const writes = [holdReplacement(organizationId, hold, { ...hold, version: newVersion(), except })];
  return { holdId, writes };
}
