import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isOverdueByZone } from '#shared/domain/invoices/present-invoice.ts';
import { dateIn, UTC } from '#shared/domain/time-zone.ts';
import { plusDays } from '#shared/domain/tracker/work-time.ts';
import { draws } from '#test/support/draws.ts';

const farthest = fc.constantFrom('Etc/GMT+12', 'Etc/GMT-14');
const zones = fc.oneof(farthest, fc.constantFrom(...Intl.supportedValuesOf('timeZone')));
const moments = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });

it.each([
  ['2026-11-19T11:59:59.999Z', '2026-11-18', true],
  ['2026-11-19T12:00:00.000Z', '2026-11-18', false],
  ['2026-11-19T09:59:59.999Z', '2026-11-19', false],
  ['2026-11-19T10:00:00.000Z', '2026-11-19', true],
])('at %s a zone decides about what was due on %s: %s', (now, dueDate, expected) => {
  expect(isOverdueByZone({ status: 'sent', dueDate }, new Date(now))).toBe(expected);
});

it('a zone decides whether an invoice is overdue only where it is said to', () => {
  fc.assert(
    fc.property(zones, moments, fc.integer({ min: -2, max: 2 }), (zone, now, days) => {
      const [today, todayOfUtc] = [dateIn(zone, now), dateIn(UTC, now)];
      const dueDate = plusDays(todayOfUtc, days);
      const decides = isOverdueByZone({ status: 'sent', dueDate }, now);
      if (dueDate < today !== dueDate < todayOfUtc) expect(decides).toBe(true);
      if (Math.abs(days) > 1) expect(decides).toBe(false);
      expect(isOverdueByZone({ status: 'paid', dueDate }, now)).toBe(false);
    }),
    { numRuns: draws(250) },
  );
});
