import { expect, it } from 'vitest';
import { withSection } from '#scripts/bench/report.ts';

it('a section takes the place of the one before, and leaves the others as they are', () => {
  const before = '# Report\n\nText.\n\n## One\n\n1\n';
  const once = withSection(before, '## Growth\n\nold');
  expect(once).toBe(`${before}\n## Growth\n\nold\n`);
  const between = `${once}\n## Two\n\n2\n`;
  expect(withSection(between, '## Growth\n\nnew')).toBe(between.replace('old', 'new'));
});
