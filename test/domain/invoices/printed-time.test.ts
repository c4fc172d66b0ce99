import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockHours, datedText, lineTextsIn } from '#shared/domain/invoices/printed-time.ts';
import { type BillableEntry, TIME_GROUPINGS, timeLines } from '#shared/domain/invoices/tracked-time.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import { hoursOf } from '#shared/domain/tracker/work-time.ts';

const UNTAXED = { taxRate: null, taxCategory: null, taxExemptionReason: null };

function entry(entryDate: string): BillableEntry {
  const draft = { description: 'Review: tests', durationMinutes: 91, entryDate, billable: true };
  const owner = { organizationId: 'org', userId: 'ana', currency: 'USD' };
  return { ...newEntry(draft, null, owner, entryDate, new Date(0)), clientId: 'c', rate: '100' };
}

describe('hours of tracked time', () => {
  it('are the minutes from which they were made, whatever was rounded', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10 ** 9 }), (minutes) => {
        const [hours, rest] = clockHours(hoursOf(minutes)).split(':');
        expect(Number(hours) * 60 + Number(rest)).toBe(minutes);
      }),
    );
  });

  it.each([
    ['1.516667', '1:31'],
    ['0.016667', '0:01'],
    ['37.5', '37:30'],
    ['8', '8:00'],
    ['1234.05', '1234:03'],
  ])('%s are %s', (hours, expected) => {
    expect(clockHours(hours)).toBe(expected);
  });
});

describe('texts of tracked time', () => {
  it('are recognized by their dates, as the lines have them', () => {
    const [first, last] = [entry('2026-11-02'), entry('2026-11-20')];
    const lines = (entries: BillableEntry[]) =>
      TIME_GROUPINGS.flatMap((groupBy) =>
        timeLines(entries, { groupBy, ...UNTAXED, projectNames: new Map(), newId: () => 'id' }),
      );
    expect(lines([first]).map(({ description }) => datedText(description))).toEqual([
      { from: '2026-11-02', to: '2026-11-02', text: first.description },
      { from: '2026-11-02', to: '2026-11-02', text: '' },
      { from: '2026-11-02', to: '2026-11-02', text: '' },
    ]);
    const all = lines([first, last]);
    expect(all.map(({ description }) => datedText(description))).not.toContain(null);
    expect(all.map(({ description }) => datedText(description))).toContainEqual({
      from: '2026-11-02',
      to: '2026-11-20',
      text: '',
    });
    for (const line of all) expect(lineTextsIn('de')(line).name).toBe('Arbeitszeit');
  });

  it.each(['Design', '2026-13-01', '2026-11-31: Review', '2026-11-02 until noon', '', ' 2026-11-02', '2026-11-02:x'])(
    'are others: "%s"',
    (text) => {
      expect(datedText(text)).toBeNull();
    },
  );

  it('may have lines of their own', () => {
    expect(datedText('2026-11-02: one\ntwo: three')?.text).toBe('one\ntwo: three');
  });
});
