import { describe, expect, it } from 'vitest';
import { type SummedCell, summarize } from '#shared/domain/tracker/summary.ts';

const cell = (currency: string, billable: boolean, minutes: number, amountMinor = 0n): SummedCell => ({
  dimensions: { projectId: null, currency, billable },
  minutes,
  billedMinutes: minutes,
  amountMinor,
});

const summaryOf = (...cells: SummedCell[]) => summarize(cells, new Map(), 'EUR');

it('a summary adds up by project and currency, by name, and what has no project last', () => {
  const of = (projectId: string | null, ...rest: Parameters<typeof cell>) => {
    const { dimensions, ...sums } = cell(...rest);
    return { ...sums, billedMinutes: sums.minutes + 5, dimensions: { ...dimensions, projectId } };
  };
  const cells = [
    of('app', 'JPY', true, 32, 7n),
    of(null, 'EUR', true, 1, 10n),
    of('gone', 'USD', false, 2),
    of('site', 'JPY', true, 4, 300n),
    of('site', 'EUR', true, 8, 1_000n),
    of('site', 'EUR', false, 16),
  ];
  const names = new Map([
    ['site', 'website'],
    ['app', 'App'],
  ]);
  const project = (projectId: string | null, projectName: string | null, currency: string) => ({
    projectId,
    projectName,
    currency,
  });
  expect(summarize(cells, names, 'EUR')).toEqual({
    totalMinutes: 45,
    trackedMinutes: 63,
    billedMinutes: 65,
    totalAmount: 10.1,
    currency: 'EUR',
    byProject: [
      { ...project('app', 'App', 'JPY'), totalMinutes: 32, trackedMinutes: 32, billedMinutes: 37, totalAmount: 7 },
      { ...project('site', 'website', 'EUR'), totalMinutes: 8, trackedMinutes: 24, billedMinutes: 13, totalAmount: 10 },
      { ...project('site', 'website', 'JPY'), totalMinutes: 4, trackedMinutes: 4, billedMinutes: 9, totalAmount: 300 },
      { ...project(null, null, 'EUR'), totalMinutes: 1, trackedMinutes: 1, billedMinutes: 6, totalAmount: 0.1 },
      { ...project(null, null, 'USD'), totalMinutes: 0, trackedMinutes: 2, billedMinutes: 0, totalAmount: 0 },
    ],
    byCurrency: [
      { currency: 'EUR', totalMinutes: 9, billedMinutes: 19, totalAmount: 10.1 },
      { currency: 'JPY', totalMinutes: 36, billedMinutes: 46, totalAmount: 307 },
      { currency: 'USD', totalMinutes: 0, billedMinutes: 0, totalAmount: 0 },
    ],
  });
});

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
