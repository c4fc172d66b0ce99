import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { crowdedOf, drawnOf, SUMMARY } from '#scripts/bench/growth.ts';
import { withFigures } from '#scripts/bench/markdown.ts';
import { quotesOf } from '#scripts/bench/quotes.ts';
import { curvesOf, reportOf } from '#scripts/bench/report.ts';
import { type Measurements, readMeasurements } from '#scripts/bench/results.ts';

const root = join(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

const measurements = readMeasurements('full');

const report = reportOf(measurements);

/** What a list and a summary may take (design, section 6). */
const MOST_OF_LIST = { roundTrips: 4, readUnits: 120 };
const MOST_OF_SUMMARY = { roundTrips: 2, readUnits: 100 };

describe('the measurements that are kept with the code', () => {
  it('are the report, the curves and what other documents quote', () => {
    expect(textOf('scripts/bench/REPORT.md')).toBe(report);
    expect(textOf('scripts/bench/curves.svg')).toBe(curvesOf(measurements.growth?.result ?? []));
    for (const [document, figures] of Object.entries(quotesOf(measurements)))
      expect(textOf(document), document).toBe(withFigures(textOf(document), figures));
  });

  it('leave out no part, and no operation that was to be measured', () => {
    expect(report).not.toContain('Not measured yet.');
    expect(measurements.operations?.result.unmeasured).toEqual([]);
  });

  const { growth, importUnits } = measurements;
  const drawn = drawnOf(growth?.result ?? []);

  it('keep to the budgets of lists, summaries and imports', () => {
    expect(drawn.map(({ entries }) => entries)).toEqual([1_000, 10_000, 100_000, 1_000_000]);
    // The budgets are for a hundred entries a day; what a crowded day takes the report says.
    const uncrowded = growth?.result.filter((each) => each !== crowdedOf(growth.result)) ?? [];
    for (const { readings } of uncrowded) {
      for (const { name, roundTrips, readUnits } of readings) {
        const most = name === SUMMARY ? MOST_OF_SUMMARY : MOST_OF_LIST;
        expect(roundTrips, name).toBeLessThanOrEqual(most.roundTrips);
        expect(readUnits, name).toBeLessThanOrEqual(most.readUnits);
      }
    }
    expect(importUnits?.result.writeUnitsPerRow).toBeLessThanOrEqual(4.6);
    expect(importUnits?.result.busiest[0]?.writeUnits).toBeLessThanOrEqual(3_000);
  });

  it('have curves of a year that stay flat: a million entries take a read unit more than 100,000, and fewer never more', () => {
    const [most, more, ...fewer] = drawn
      .toReversed()
      .map(({ readings }) => new Map(readings.map(({ name, readUnits }) => [name, readUnits])));
    expect(most?.size).toBe(4);
    for (const [name, readUnits] of most ?? []) {
      expect(readUnits - (more?.get(name) ?? 0), name).toBeLessThanOrEqual(1);
      for (const readings of fewer) expect(readings.get(name), name).toBeLessThanOrEqual(readUnits);
    }
  });

  it('are not samples', () => {
    for (const [part, { effort }] of Object.entries(measurements)) expect(effort, part).toBe('full');
  });
});

it('a report names the machine of each part, and the parts that were not measured', () => {
  const startUp: Measurements['startUp'] = {
    at: '2026-11-21T12:00:00.000Z',
    effort: 'full',
    seconds: 7,
    load: [0.5, 1],
    processors: 2,
    machine: 'A machine',
    result: 1.25,
  };
  const some = reportOf({ startUp });
  expect(some.match(/^\*2026-11-21 12:00 UTC, in 7 s\. A machine, 2 processors; .*\*$/gm)).toHaveLength(1);
  // One section says where figures come from, and one is measured.
  expect(some.match(/^Not measured yet\.$/gm)).toHaveLength((some.match(/^## /gm)?.length ?? 0) - 2);
});
