import { describe, expect, it } from 'vitest';
import { type SummedCell, summarize } from '#shared/domain/tracker/summary.ts';

const cell = (currency: string, billable: boolean, minutes: number, amountMinor = 0n): SummedCell => ({
  dimensions: { projectId: null, currency, billable },
  minutes,
  billedMinutes: minutes,
  amountMinor,
});

const summaryOf = (...cells: SummedCell[]) => summarize(cells, new Map(), 'EUR');

describe('the currency of a summary', () => {
  it('is the only one of the billable entries, whatever else there is', () => {
    const summary = summaryOf(cell('USD', true, 60, 10_000n), cell('JPY', false, 1));
    expect(summary).toMatchObject({ currency: 'USD', totalAmount: 100, totalMinutes: 60, trackedMinutes: 61 });
  });

  it("is the organization's where the billable entries have several, or there are none", () => {
    expect(summaryOf(cell('USD', true, 60, 10_000n), cell('EUR', true, 30, 500n))).toMatchObject({
      currency: 'EUR',
      totalAmount: 5,
    });
    expect(summaryOf(cell('USD', false, 60))).toMatchObject({ currency: 'EUR', totalAmount: 0, totalMinutes: 0 });
  });
});
