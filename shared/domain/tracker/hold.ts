/**
 * All entries of an invoice name its one hold, which exists until the invoice is voided or deleted: one item decides
 * for thousands of entries. The name of a former hold means nothing.
 */
export interface Hold {
  readonly id: string;
  readonly invoiceId: string;
  /** Entries that name the hold and are free. */
  readonly except: ReadonlySet<string>;
}

export type Holds = ReadonlyMap<string, Hold>;

export interface Holdable {
  readonly id: string;
  readonly holdId: string | null;
}

export function invoiceOf({ id, holdId }: Holdable, holds: Holds): string | null {
  const hold = holdId === null ? undefined : holds.get(holdId);
  return hold && !hold.except.has(id) ? hold.invoiceId : null;
}

export function withoutDeadHold<E extends Holdable>(entry: E, holds: Holds): E {
  return invoiceOf(entry, holds) === null ? { ...entry, holdId: null } : entry;
}
