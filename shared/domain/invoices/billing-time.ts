import { fault } from '#shared/domain/problems.ts';

/** The write units of an entry that is put on an invoice, by the partition keys of its two items. */
export interface BilledUnits {
  /** All entries of a day share a key. */
  readonly entryDate: string;
  readonly byId: number;
  readonly onDay: number;
}

/** What a table takes that is new, or was idle. Its burst is left out: others may have used it. */
export const UNITS_PER_SECOND = { table: 4_000, partitionKey: 1_000 } as const;

/** A request has 29 seconds. It also reads the entries, and writes and answers the invoice. */
const MAX_SECONDS = 20;

/**
 * @param checked units of what each transaction relies on besides, by its partition key
 * @throws Problem `billing_too_large`
 */
export function assertBilledInTime(entries: readonly BilledUnits[], checked: readonly number[] = []): void {
  const seconds = writingSeconds(entries, checked);
  if (seconds <= MAX_SECONDS) return;
  const count = Math.floor((entries.length * MAX_SECONDS) / seconds);
  throw fault(
    'billing_too_large',
    '',
    `The ${entries.length} entries may take ${Math.ceil(seconds)} s to bill, and a request has ${MAX_SECONDS}: bill about ${count} on each of several invoices, by fewer days, one project or entryIds.`,
  );
}

/** If the days take their writes side by side. */
function writingSeconds(entries: readonly BilledUnits[], checked: readonly number[]): number {
  let ofTable = checked.reduce((sum, units) => sum + units, 0);
  const ofDays = new Map<string, number>();
  for (const { entryDate, byId, onDay } of entries) {
    ofTable += byId + onDay;
    ofDays.set(entryDate, (ofDays.get(entryDate) ?? 0) + onDay);
  }
  const ofKey = [...ofDays.values(), ...checked].reduce((most, units) => Math.max(most, units), 0);
  return Math.max(ofTable / UNITS_PER_SECOND.table, ofKey / UNITS_PER_SECOND.partitionKey);
}
