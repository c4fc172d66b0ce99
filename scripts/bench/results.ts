import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Effort } from './effort.ts';
import type { Growth } from './growth.ts';
import type { ImportSpeed } from './import.ts';
import type { ImportUnits } from './import-units.ts';
import type { LoadTime } from './load-time.ts';
import type { OperationsReport } from './operations.ts';
import type { Rush } from './rush.ts';
import type { StackOverhead } from './stack-overhead.ts';
import type { Team } from './team.ts';
import type { ProcessorTime } from './team-processor.ts';

/**
 * What has been measured: each part with when, and how busy the machine was. Parts can be measured one by one; the file keeps the rest. It is
 * part of the project, as are the documents that are written from it; what a sample measures is not.
 */

export interface Results {
  startUp: number;
  loadTimes: readonly LoadTime[];
  httpStack: StackOverhead;
  operations: OperationsReport;
  imports: readonly ImportSpeed[];
  importUnits: ImportUnits;
  growth: readonly Growth[];
  team: Team;
  rush: readonly Rush[];
  /** Against another version. */
  processor: readonly ProcessorTime[];
}

export type Part = keyof Results;

export interface Measured<T> {
  readonly at: string;
  readonly effort: Effort;
  readonly seconds: number;
  /** Runnable processes of the last minute, before and after: beyond the number of processors the machine was too busy for times. */
  readonly load: readonly [before: number, after: number];
  readonly processors: number;
  readonly machine: string;
  readonly result: T;
}

export type Measurements = { readonly [P in Part]?: Measured<Results[P]> };

/** Where measurements are, and the report of them. */
export function resultsFolder(effort: Effort): string {
  return effort === 'sample' ? join(import.meta.dirname, '../../dist/bench-sample') : import.meta.dirname;
}

const fileOf = (effort: Effort) => join(resultsFolder(effort), 'measurements.json');

export function readMeasurements(effort: Effort): Measurements {
  const file = fileOf(effort);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** Measures a part and keeps it. */
export async function measurePart<P extends Part>(
  part: P,
  effort: Effort,
  measure: () => Promise<Results[P]>,
): Promise<void> {
  console.log(`Measuring ${part}.`);
  const [before = 0] = loadavg();
  const startedAt = performance.now();
  const result = await measure();
  const seconds = (performance.now() - startedAt) / 1_000;
  const [after = 0] = loadavg();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const measured: Measured<Results[P]> = {
    at: new Date().toISOString(),
    effort,
    seconds,
    load: [before, after],
    processors: availableParallelism(),
    machine: `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${gigabytes} GiB, Node.js ${process.version}`,
    result,
  };
  mkdirSync(resultsFolder(effort), { recursive: true });
  const all = { ...readMeasurements(effort), [part]: measured };
  writeFileSync(fileOf(effort), `${JSON.stringify(all, null, 2)}\n`);
  console.log(`Measured ${part} in ${seconds.toFixed(0)} s.`);
}
