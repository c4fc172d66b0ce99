import { afterEach, expect, it, vi } from 'vitest';
import { dateWriter, writtenDates } from '#shared/domain/invoices/written-dates.ts';

afterEach(() => void vi.unstubAllEnvs());

it.each([
  ['en', 'US', 'November 3, 2026'],
  ['en', 'DE', '3 November 2026'],
  ['de', 'US', '3. November 2026'],
] as const)('a date is written in %s for a seller in %s, wherever the machine is', (locale, country, written) => {
  for (const zone of ['America/Los_Angeles', 'Pacific/Auckland']) {
    vi.stubEnv('TZ', zone);
    expect(dateWriter(locale, country)('2026-11-03')).toBe(written);
  }
});

it.each([
  [null, null, ''],
  ['2026-11-03', '2026-11-03', '2026-11-03'],
  ['2026-11-03', '2026-11-20', '2026-11-03 – 2026-11-20'],
  ['2026-11-03', null, '2026-11-03 – '],
  [null, '2026-11-20', ' – 2026-11-20'],
])('from %s to %s is written as "%s"', (from, to, written) => {
  expect(writtenDates(from, to, (date) => date)).toBe(written);
});
