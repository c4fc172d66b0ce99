import { describe, expect, it } from 'vitest';
import { assertServiceDates, serviceDatesOf } from '#shared/domain/invoices/service-dates.ts';
import { refused } from '#test/support/refusals.ts';

const days = (serviceFrom: string | null, serviceTo: string | null) => ({ serviceFrom, serviceTo });

describe('the days of an invoice', () => {
  const lines = [
    days('2026-10-05', '2026-10-06'),
    days(null, null),
    days('2026-10-02', null),
    days(null, '2026-10-09'),
  ];

  it.each([
    ['the first and the last one of its lines', days(null, null), lines, days('2026-10-02', '2026-10-09')],
    ['its own first one', days('2026-10-01', null), lines, days('2026-10-01', '2026-10-09')],
    ['its own last one', days(null, '2026-10-31'), lines, days('2026-10-02', '2026-10-31')],
    ['none without any', days(null, null), [], days(null, null)],
  ])('are %s', (_, own, ofLines, expected) => {
    expect(serviceDatesOf(own, ofLines)).toEqual(expected);
  });

  it('begin before they end', () => {
    const upsideDownAt = (path: string) =>
      refused('invalid_date_range', path, 'serviceFrom must not be later than serviceTo.');
    expect(() => serviceDatesOf(days('2026-10-10', null), lines)).toThrow(upsideDownAt('serviceFrom'));
    const upsideDown = days('2026-10-02', '2026-10-01');
    expect(() => assertServiceDates(upsideDown, 'lineItems.1')).toThrow(upsideDownAt('lineItems.1.serviceFrom'));
  });
});
