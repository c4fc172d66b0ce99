import { referenceNotFound } from '#shared/domain/problems.ts';
import { assertNotInvoiced, type Entry } from '#shared/domain/tracker/entry.ts';
import { type Holds, invoiceOf } from '#shared/domain/tracker/hold.ts';
import type { LineDraft } from './line-item.ts';
import { assertBillable, type BillableEntry, type BillingTerms, hasRate, isBillable } from './tracked-time.ts';

export function unbilled<E extends Entry>(
  entries: readonly E[],
  holds: Holds,
  terms: BillingTerms,
): (E & BillableEntry)[] {
  return entries.filter((entry) => isBillable(entry, terms)).filter((entry) => invoiceOf(entry, holds) === null);
}

/** Entries already on this invoice need no new check: nobody could change them. They have a rate, as types need to know. */
export function chosenEntries<E extends Entry>(
  drafts: readonly LineDraft[],
  found: ReadonlyMap<string, E>,
  holds: Holds,
  { invoiceId, ...terms }: BillingTerms & { readonly invoiceId: string },
): Map<string, E & BillableEntry> {
  const chosen = new Map<string, E & BillableEntry>();
  for (const [position, { entryIds = [] }] of drafts.entries()) {
    for (const [index, id] of entryIds.entries()) {
      const path = `lineItems.${position}.entryIds.${index}`;
      const entry = found.get(id);
      if (!entry) throw referenceNotFound(path);
      const isOwn = invoiceOf(entry, holds) === invoiceId;
      if (!isOwn) assertNotInvoiced(entry, holds);
      if (!(isOwn && hasRate(entry))) assertBillable(entry, terms, path);
      chosen.set(id, entry);
    }
  }
  return chosen;
}
