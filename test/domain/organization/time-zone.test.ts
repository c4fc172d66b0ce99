import { describe, expect, it } from 'vitest';
import { isTimeZone } from '#shared/domain/organization/time-zone.ts';

describe('a time zone', () => {
  it.each([
    'UTC',
    'Europe/Berlin',
    'America/Argentina/Buenos_Aires',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'US/Pacific',
    'Etc/GMT+5',
  ])('is %s', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each(['', ' ', 'Berlin', 'Europe/Bonn', '+01:00', '-0800', 'UTC+1', 'Europe/Berlin ', 'null'])(
    'is not %j',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});
