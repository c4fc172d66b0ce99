import { expect, it } from 'vitest';
import { sectionOf, withSection } from '#scripts/bench/report.ts';

const circumstances = {
  at: new Date('2026-11-21T12:00:00.000Z'),
  seconds: 7,
  machine: 'A machine, 2 processors',
  before: 0.5,
  after: 1,
};

it('a section names the machine, and when and how busy it was', () => {
  expect(sectionOf('Growth', 'Text.', circumstances)).toBe(
    '## Growth\n\nText.\n\n*2026-11-21 12:00 UTC, in 7 s. A machine, 2 processors; load average 0.5 before and 1.0 after.*',
  );
});

it('a section takes the place of the one before, and leaves the others as they are', () => {
  const before = '# Report\n\nText.\n\n## One\n\n1\n';
  const once = withSection(before, '## Growth\n\nold');
  expect(once).toBe(`${before}\n## Growth\n\nold\n`);
  const between = `${once}\n## Two\n\n2\n`;
  expect(withSection(between, '## Growth\n\nnew')).toBe(between.replace('old', 'new'));
});
