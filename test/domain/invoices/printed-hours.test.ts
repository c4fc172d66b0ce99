import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertPrintable, type HoursSum, hoursOfLines } from '#shared/domain/invoices/printed-hours.ts';
import { type BillableEntry, TIME_GROUPINGS } from '#shared/domain/invoices/tracked-time.ts';
import { parseMinor } from '#shared/domain/money.ts';
import { roundedMinutes, type TimeRounding } from '#shared/domain/time-rounding.ts';
import { minutesOfQuantity } from '#shared/domain/tracker/work-time.ts';
import { billableEntry, untaxedLines } from '#test/support/invoice-sources.ts';
import { refused } from '#test/support/refusals.ts';
import { anyRounding } from '#test/support/rounding.ts';

const SENT = '2026-11-20T12:00:00.000Z';
const HOLD = 'hold';

function entryOf(index: number, durationMinutes: number, rate: string, rounding: TimeRounding | null = null) {
  const about = { id: `e${String(index).padStart(4, '0')}`, description: `Work ${index}`, userId: `user ${index % 3}` };
  const billedMinutes = roundedMinutes(durationMinutes, rounding);
  return billableEntry({ ...about, entryDate: '2026-11-02', durationMinutes, billedMinutes, rate, holdId: HOLD });
}

const invoiceOf = (entries: readonly BillableEntry[], changes = {}) => ({
  lineItems: untaxedLines(entries, 'project'),
  currency: 'USD',
  sentAt: SENT,
  holdId: HOLD,
  ...changes,
});

const personOf = ({ userId }: { readonly userId: string }) => userId;

describe('the hours of an invoice', () => {
  it('are of each line, to the minute and the cent, whatever has become of the entries', () => {
    const billed = fc.record({
      minutes: fc.integer({ min: 1, max: 2_000 }),
      rate: fc.constantFrom('137.50', '0.01', '95'),
      rounding: anyRounding,
      fate: fc.constantFrom('held', 'free', 'billed again', 'noted', 'other time', 'changed', 'gone'),
    });
    fc.assert(
      fc.property(
        fc.array(billed, { minLength: 1, maxLength: 40 }),
        fc.constantFrom(...TIME_GROUPINGS),
        (all, groupBy) => {
          const entries = all.map(({ minutes, rate, rounding }, index) => entryOf(index, minutes, rate, rounding));
          const later = { updatedAt: '2026-11-21T00:00:00.000Z' };
          const now = entries.flatMap((entry, index) => {
            switch (all[index]?.fate) {
              case 'held':
                return entry;
              case 'free':
                return { ...entry, holdId: null };
              case 'billed again':
                return { ...entry, holdId: 'another' };
              case 'noted':
                return { ...entry, ...later };
              case 'other time':
                return { ...entry, billedMinutes: entry.billedMinutes + 7 };
              case 'changed':
                return { ...entry, ...later, holdId: 'another', description: 'Another', durationMinutes: 7 };
              default:
                return [];
            }
          });
          const lineItems = untaxedLines(entries, groupBy);
          const hours = hoursOfLines(invoiceOf(entries, { lineItems }), now, personOf);
          expect(hours.map(({ line }) => line)).toEqual(lineItems);
          const lost = all.filter(({ fate }) => fate === 'changed' || fate === 'gone').length;
          expect(hours.flatMap(({ rows }) => rows)).toHaveLength(all.length - lost);
          for (const { line, rows, changed } of hours) {
            const sumOf = (parts: readonly HoursSum[]) => ({
              minutes: parts.reduce((sum, { minutes }) => sum + minutes, 0),
              minor: parts.reduce((sum, { amount }) => sum + parseMinor(amount), 0n),
            });
            const whole = { minutes: minutesOfQuantity(line.quantity), minor: parseMinor(line.amount) };
            expect(sumOf([...rows, ...(changed ? [changed] : [])])).toEqual(whole);
            expect(changed === null).toBe(isDeepStrictEqual(sumOf(rows), whole));
            for (const { description } of rows) expect(description).toMatch(/^Work/);
          }
        },
      ),
    );
  });

  it('say of each entry when, what, who, how long and how much, in the order of the line', () => {
    const entries = [entryOf(2, 10, '137.50'), entryOf(1, 90, '137.50')];
    const [hours] = hoursOfLines(invoiceOf(entries), entries, personOf);
    expect(hours?.rows).toEqual([
      { date: '2026-11-02', description: 'Work 1', person: 'user 1', minutes: 90, amount: '206.25' },
      { date: '2026-11-02', description: 'Work 2', person: 'user 2', minutes: 10, amount: '22.92' },
    ]);
  });

  it('are of an entry that changed at the very moment of sending, and of none that changed after it', () => {
    const entry = entryOf(1, 90, '137.50');
    const rowsAt = (updatedAt: string) =>
      hoursOfLines(invoiceOf([entry]), [{ ...entry, holdId: null, updatedAt }], personOf)[0]?.rows.length;
    expect([rowsAt(SENT), rowsAt(SENT.replace('.000', '.001'))]).toEqual([1, 0]);
  });

  it('are of no line that bills something else', () => {
    const [line] = untaxedLines([entryOf(1, 10, '1')], 'day');
    const lineItems = line ? [{ ...line, entryIds: [] }] : [];
    expect(hoursOfLines(invoiceOf([], { lineItems }), [], personOf)).toEqual([]);
  });

  it('are of 5,000 entries at most', () => {
    expect(() => assertPrintable(5_000)).not.toThrow();
    const message = 'The invoice bills 5001 entries, and a PDF has the hours of 5000.';
    expect(() => assertPrintable(5_001)).toThrow(refused('document_too_large', 'hours', message));
  });
});
