import { type Decimal, formatMinor, parseMinor, sumMinor } from '#shared/domain/money.ts';
import { fault, type Problem } from '#shared/domain/problems.ts';
import { amountMinorOf, type Entry } from '#shared/domain/tracker/entry.ts';
import { type IsoDate, minutesOfQuantity } from '#shared/domain/tracker/work-time.ts';
import type { Invoice, LineItem } from './invoice.ts';
import { billsTime } from './printed-time.ts';

/** The entries that a line bills, as they were billed. Their sum is the line. */
export interface LineHours {
  readonly line: LineItem;
  readonly rows: readonly HoursRow[];
  /** What the rows leave of the line: of entries that were released since, and are others now, or gone. */
  readonly changed: HoursSum | null;
}

export interface HoursSum {
  readonly minutes: number;
  readonly amount: Decimal;
}

export interface HoursRow extends HoursSum {
  readonly date: IsoDate;
  readonly description: string;
  readonly person: string;
}

/** More pages than anybody reads. */
const MAX_PRINTED_ENTRIES = 5_000;

/** @throws Problem `document_too_large` */
export function assertPrintable(entries: number): void {
  if (entries <= MAX_PRINTED_ENTRIES) return;
  throw documentTooLarge(`The invoice bills ${entries} entries, and a PDF has the hours of ${MAX_PRINTED_ENTRIES}.`);
}

export function documentTooLarge(reason: string): Problem {
  return fault('document_too_large', 'hours', reason);
}

type Billing = Pick<Invoice, 'lineItems' | 'currency' | 'sentAt'> & { readonly holdId: string | null };

/** @param entries of the lines, as they are now */
export function hoursOfLines(
  invoice: Billing,
  entries: readonly Entry[],
  personOf: (entry: Entry) => string,
): LineHours[] {
  const billed = new Map(entries.filter((entry) => isAsBilled(entry, invoice)).map((entry) => [entry.id, entry]));
  return invoice.lineItems.filter(billsTime).map((line) => {
    const found = line.entryIds.flatMap((id) => billed.get(id) ?? []);
    const rows = found.map((entry) => ({
      date: entry.entryDate,
      description: entry.description,
      person: personOf(entry),
      minutes: entry.billedMinutes,
      amount: formatMinor(amountMinorOf(entry), invoice.currency),
    }));
    return { line, rows, changed: restOf(line, rows, invoice.currency) };
  });
}

/** An entry that names the hold has not changed since it was billed: a change takes the name away. */
function isAsBilled({ holdId, updatedAt }: Entry, invoice: Billing): boolean {
  const isHeld = holdId !== null && holdId === invoice.holdId;
  return isHeld || (invoice.sentAt !== null && updatedAt <= invoice.sentAt);
}

function restOf({ quantity, amount }: LineItem, rows: readonly HoursRow[], currency: string): HoursSum | null {
  const minutes = minutesOfQuantity(quantity) - rows.reduce((sum, row) => sum + row.minutes, 0);
  const amountMinor = parseMinor(amount) - sumMinor(rows.map((row) => parseMinor(row.amount)));
  return minutes === 0 && amountMinor === 0n ? null : { minutes, amount: formatMinor(amountMinor, currency) };
}
