import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import type { DearestFigures } from './dearest.ts';
import type { Effort } from './effort.ts';
import type { Growth } from './growth.ts';
import type { ImportUnits } from './import-units.ts';
import type { LoadTime } from './load-time.ts';
import type { OperationsReport } from './operations.ts';
import type { Rush } from './rush.ts';
import type { Team } from './team.ts';

/** All measured parts, each with its time and with how busy the machine was. */

export interface Results {
  startUp: number;
  loadTimes: readonly LoadTime[];
  operations: OperationsReport;
  dearest: readonly DearestFigures[];
  importUnits: ImportUnits;
  growth: readonly Growth[];
  team: Team;
  rush: readonly Rush[];
}

export type Part = keyof Results;

export interface Measured<T> {
  readonly at: string;
  readonly effort: Effort;
  readonly seconds: number;
  /**
   * Runnable processes of the last minute, before and after. If there were more than the machine has processors, it
   * was too busy to measure times.
   */
  readonly load: readonly [before: number, after: number];
  readonly processors: number;
  readonly machine: string;
  readonly result: T;
}

export async function measurePart<P extends Part>(
  part: P,
  effort: Effort,
  measure: () => Promise<Results[P]>,
): Promise<Measured<Results[P]>> {
  console.log(`Measuring ${part}.`);
  const [before = 0] = loadavg();
  const startedAt = performance.now();
  const result = await measure();
  const seconds = (performance.now() - startedAt) / 1_000;
  const [after = 0] = loadavg();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return {
    at: new Date().toISOString(),
    effort,
    seconds,
    load: [before, after],
    processors: availableParallelism(),
    machine: `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${gigabytes} GiB, Node.js ${process.version}`,
    result,
  };
}
