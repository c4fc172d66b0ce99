import { expect, it } from 'vitest';
import { reportOf } from '#scripts/bench/report.ts';
import type { Measured } from '#scripts/bench/results.ts';

const startUp: Measured<number> = {
  at: '2026-11-21T12:00:00.000Z',
  effort: 'full',
  seconds: 7,
  load: [0.5, 1],
  processors: 2,
  machine: 'A machine',
  result: 1.25,
};

it('keeps the parts that were measured elsewhere, and says of others that they were not', () => {
  const former = reportOf({ startUp }, '');
  expect(former).toContain('A machine');
  expect(reportOf({}, former)).toBe(former);
  expect(reportOf({ startUp: { ...startUp, machine: 'Another' } }, former)).not.toContain('A machine');
  expect(reportOf({}, '').match(/^Not measured yet\.$/gm)).toHaveLength(former.match(/^## /gm)?.length ?? 0);
});
