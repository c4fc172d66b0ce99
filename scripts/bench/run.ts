import { measureDeletion } from './deletion.ts';
import { measureGrowth } from './growth.ts';
import { measureImport } from './import.ts';
import { measureLoadTimes } from './load-time.ts';
import { measureOperations } from './operations.ts';
import { recordImport, summaryOf } from './recording.ts';
import { writeReport } from './report.ts';
import { measurePart, type Part } from './results.ts';
import { onScratchCloud } from './scratch-cloud.ts';
import { measureStackOverhead } from './stack-overhead.ts';
import { measureStartUp } from './start-up.ts';

/**
 * `npm run bench`: measures the service on this machine and writes `dist/bench.json`, `scripts/bench/REPORT.md` and `curves.svg`. Names of parts
 * measure these alone (`npm run bench -- operations growth`); `--large` lets a million entries be among the sizes, which takes minutes more.
 */

/** The machine is never quite quiet: hence several rounds. */
const IMPORT_ROUNDS = 5;

/** Simulated parts are not measured: `npm run simulate` has them. */
type MeasuredPart = Exclude<Part, 'simulation'>;

const apart: Partial<Record<MeasuredPart, () => Promise<void>>> = {
  startUp: () => measurePart('startUp', measureStartUp),
  loadTimes: () => measurePart('loadTimes', measureLoadTimes),
  httpStack: () => measurePart('httpStack', measureStackOverhead),
};

const isLarge = process.argv.includes('--large');

type OnCloud = (cloud: Parameters<Parameters<typeof onScratchCloud>[0]>[0]) => Promise<void>;

const onCloud: Partial<Record<MeasuredPart, OnCloud>> = {
  operations: (cloud) => measurePart('operations', () => measureOperations(cloud)),
  imports: (cloud) => measurePart('imports', () => measureImport(cloud, IMPORT_ROUNDS)),
  importUnits: (cloud) => measurePart('importUnits', async () => summaryOf(await recordImport(cloud))),
  deletion: (cloud) => measurePart('deletion', () => measureDeletion(cloud)),
  growth: (cloud) => measurePart('growth', () => measureGrowth(cloud, isLarge)),
};

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const all: string[] = [...Object.keys(apart), ...Object.keys(onCloud)];
const unknown = wanted.filter((part) => !all.includes(part));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}. There are: ${all.join(', ')}`);

const isWanted = ([part]: [string, unknown]) => wanted.length === 0 || wanted.includes(part);

for (const [part, measure] of Object.entries(apart).filter(isWanted)) {
  console.log(`Measuring ${part}.`);
  await measure();
}
const remaining = Object.entries(onCloud).filter(isWanted);
if (remaining.length > 0) {
  await onScratchCloud(async (cloud) => {
    for (const [part, measure] of remaining) {
      console.log(`Measuring ${part}.`);
      await measure(cloud);
    }
  });
}
console.log(`The report is in ${writeReport()}.`);
