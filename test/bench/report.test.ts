import { expect, it } from 'vitest';
import { sectionOf, withSection } from '#scripts/bench/report.ts';
import type { Measured } from '#scripts/bench/results.ts';

const startUp = (milliseconds: number): Measured<number> => ({
  at: '2026-11-21T12:00:00.000Z',
  effort: 'full',
  seconds: 7,
  load: [0.5, 1],
  processors: 2,
  machine: 'A machine',
  result: milliseconds,
});

it('a section names the machine, and when and how busy it was', () => {
  const section = sectionOf('startUp', startUp(1.25));
  expect(section).toMatch(/^## Start of the local cloud\n/);
  expect(section).toContain(
    '*2026-11-21 12:00 UTC, in 7 s. A machine, 2 processors; load average 0.5 before and 1.0 after.*',
  );
});

it('a section takes the place of the one before, and leaves the others as they are', () => {
  const [first, second] = [1, 2].map((value) => sectionOf('startUp', startUp(value)));
  const before = '# Report\n\nText.\n\n## One\n\n1\n';
  const once = withSection(before, first ?? '');
  expect(once).toBe(`${before}${first}\n`);
  const between = `${once}\n## Two\n\n2\n`;
  expect(withSection(between, second ?? '')).toBe(between.replace(first ?? '', second ?? ''));
});
