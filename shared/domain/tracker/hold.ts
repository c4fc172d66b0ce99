/**
 * Holds: which entries are on which invoices. An invoice that bills entries has one hold, and each of these entries
 * names it. A hold exists from the transaction that bills the entries until its invoice is voided or deleted. It lists
 * the entries that name it and that it does not hold: those that a draft has let go of, and those that a request was
 * about to bill. So one item decides for thousands of entries, and what an entry still says of a former hold means
 * nothing, like a link to a deleted project.
 */
export interface Hold {
  readonly id: string;
  readonly invoiceId: string;
  /** The ids of entries that name the hold and are free. */
  readonly except: ReadonlySet<string>;
}

/** Holds that exist, by id. */
export type Holds = ReadonlyMap<string, Hold>;

/** An entry, with the hold that it names. */
export interface Holdable {
  readonly id: string;
  readonly holdId: string | null;
}

/** The invoice that bills an entry; null if the entry is free. */
export function invoiceOf({ id, holdId }: Holdable, holds: Holds): string | null {
  const hold = holdId === null ? undefined : holds.get(holdId);
  return hold && !hold.except.has(id) ? hold.invoiceId : null;
}

/** The entry without the name of a hold that does not hold it. */
export function withLiveHold<E extends Holdable>(entry: E, holds: Holds): E {
  return invoiceOf(entry, holds) === null ? { ...entry, holdId: null } : entry;
}
