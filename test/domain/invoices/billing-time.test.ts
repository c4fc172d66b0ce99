import { describe, expect, it } from 'vitest';
import { type StoredEntry, takingUnits } from '#shared/data/tracker/entry-items.ts';
import { assertBilledInTime, type BilledUnits } from '#shared/domain/invoices/billing-time.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';

const DAYS_OF_MONTH = 30;

/** So many entries, over so many days in turn. */
function entries(count: number, days: number, units: Omit<BilledUnits, 'entryDate'>): BilledUnits[] {
  return Array.from({ length: count }, (_, i) => ({ ...units, entryDate: `2026-11-${1 + (i % days)}` }));
}

/** The units of an entry with such a description. */
function unitsWith(description: string, later?: StoredEntry['later']): BilledUnits {
  const owner = { organizationId: uuid(1), userId: uuid(2), currency: 'USD' };
  const draft = { description, durationMinutes: 90, billable: true, rate: '95.50', entryDate: '2026-11-20' };
  const project = { id: uuid(3), clientId: uuid(4), currency: 'USD', defaultRate: null };
  return takingUnits({
    ...newEntry(draft, project, owner, uuid(5), new Date()),
    version: 2 ** 47,
    holdId: null,
    later,
  });
}

const uuid = (digit: number) => `${digit}`.repeat(8).concat('-0000-7000-8000-', `${digit}`.repeat(12));

const USUAL = unitsWith('x'.repeat(60));

describe('what may be billed at once', () => {
  it('is 10,000 entries with usual texts, of a month or of one day', () => {
    expect(USUAL).toMatchObject({ byId: 2, onDay: 2 });
    for (const days of [1, DAYS_OF_MONTH]) expect(() => assertBilledInTime(entries(10_000, days, USUAL))).not.toThrow();
  });

  it('is fewer on one day where they take more there, and says how many', () => {
    const large = { byId: 2, onDay: 4 };
    expect(() => assertBilledInTime(entries(5_000, 1, large))).not.toThrow();
    expect(() => assertBilledInTime(entries(5_001, 1, large))).toThrow(
      expect.objectContaining({
        code: 'billing_too_large',
        message:
          'The 5001 entries may take 21 s to bill, and a request has 20: bill about 5000 on each of several invoices, by fewer days, one project or entryIds.',
      }),
    );
    expect(() => assertBilledInTime(entries(20_000, 1, { byId: 1, onDay: 1 }))).not.toThrow();
    expect(() => assertBilledInTime(entries(20_001, 1, { byId: 1, onDay: 1 }))).toThrow('The 20001 entries');
    expect(() => assertBilledInTime(entries(10_000, DAYS_OF_MONTH, large))).not.toThrow();
  });

  it('counts the hold that each entry will name, and what a newer version has in it', () => {
    // The number of a version takes a byte more or less.
    expect([590, 620].map((length) => unitsWith('x'.repeat(length)).byId)).toEqual([2, 4]);
    expect(unitsWith('x'.repeat(590), { ofEntry: ['x'.repeat(30)], ofImport: [] }).byId).toBe(4);
  });

  it('is less than 10,000 with the longest texts, whatever the days', () => {
    const longest = unitsWith('x'.repeat(2_000));
    expect(longest).toMatchObject({ byId: 6, onDay: 10 });
    expect(() => assertBilledInTime(entries(5_000, DAYS_OF_MONTH, longest))).not.toThrow();
    expect(() => assertBilledInTime(entries(5_001, DAYS_OF_MONTH, longest))).toThrow('bill about 5000 on');
  });

  it('is less where each transaction relies on something large, which has a partition key of its own', () => {
    expect(() => assertBilledInTime(entries(10_000, DAYS_OF_MONTH, USUAL), [20_000, 20_000])).not.toThrow();
    expect(() => assertBilledInTime(entries(10_000, DAYS_OF_MONTH, USUAL), [20_001])).toThrow('bill about 9999 on');
    expect(() => assertBilledInTime(entries(10_000, DAYS_OF_MONTH, USUAL), [20_000, 20_001])).toThrow('bill about');
  });

  it('is less where several of these take together what the table has beside the entries', () => {
    const usual = entries(10_000, DAYS_OF_MONTH, USUAL);
    expect(() => assertBilledInTime(usual, [10_000, 10_000, 10_000, 10_000])).not.toThrow();
    expect(() => assertBilledInTime(usual, [10_000, 10_000, 10_000, 10_001])).toThrow('bill about 9999 on');
  });

  it('counts bytes, and letters as they are searched', () => {
    const { byId, onDay } = unitsWith('각'.repeat(2_000));
    expect([byId, onDay]).toEqual([14, 26]);
  });
});
