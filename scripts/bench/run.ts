import { parseArgs } from 'node:util';
import type { Cloud } from '#scripts/local/cloud.ts';
import { UNKIND } from '#scripts/local/unkind.ts';
import { measureDearest } from './dearest.ts';
import { effortOf } from './effort.ts';
import { measureGrowth } from './growth.ts';
import { measureImportUnits } from './import-units.ts';
import { measureLoadTimes } from './load-time.ts';
import { measureOperations, type OperationsReport } from './operations.ts';
import { keep } from './report.ts';
import { measurePart, type Part, type Results } from './results.ts';
import { measureRush } from './rush.ts';
import { onScratchCloud } from './scratch-cloud.ts';
import { measureStartUp } from './start-up.ts';
import { measureTeam } from './team.ts';

/**
 * `npm run bench`: measures the service on this machine, prints each part as a table, and writes the part to
 * `REPORT.md` beside this file. The same figures go to `dist/bench` as JSON. With names of parts
 * (`npm run bench -- operations importUnits`) only these are measured; the report keeps the others. `--sample`
 * measures a little of everything and leaves the report alone.
 *
 * `rush` is measured only if it is named, and alone, because its cloud is as unkind as AWS may be.
 */

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'boolean' } },
});
const effort = effortOf(values);

const apart: Partial<Record<Part, () => Promise<void>>> = {
  startUp: () => measure('startUp', measureStartUp),
  loadTimes: () => measure('loadTimes', () => measureLoadTimes(effort)),
};

const onCloud: Partial<Record<Part, (cloud: Cloud) => Promise<void>>> = {
  operations: (cloud) => measure('operations', () => operationsOn(cloud)),
  dearest: (cloud) => measure('dearest', () => measureDearest(cloud, effort)),
  importUnits: (cloud) => measure('importUnits', () => measureImportUnits(cloud)),
  growth: (cloud) => measure('growth', () => measureGrowth(cloud, effort)),
  team: (cloud) => measure('team', () => measureTeam(cloud, effort)),
};

const RUSH = 'rush';

async function operationsOn(cloud: Cloud): Promise<OperationsReport> {
  const report = await measureOperations(cloud, effort);
  for (const { operationId, reason } of report.unmeasured) console.error(`${operationId} was not measured: ${reason}`);
  if (report.unmeasured.length > 0) process.exitCode = 1;
  return report;
}

async function measure<P extends Part>(part: P, how: () => Promise<Results[P]>): Promise<void> {
  keep(part, await measurePart(part, effort, how));
}

const all: string[] = [...Object.keys(apart), ...Object.keys(onCloud), RUSH];
const unknown = wanted.filter((part) => !all.includes(part));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}. There are: ${all.join(', ')}`);

const isWanted = ([part]: [string, unknown]) => wanted.length === 0 || wanted.includes(part);

const isRush = wanted.includes(RUSH);
if (isRush && wanted.length > 1) throw new Error(`${RUSH} is measured alone.`);

for (const [, part] of Object.entries(apart).filter(isWanted)) await part();
if (isRush) await onScratchCloud((cloud) => measure(RUSH, () => measureRush(cloud, effort)), UNKIND);
const remaining = Object.entries(onCloud).filter(isWanted);
if (remaining.length > 0) {
  await onScratchCloud(async (cloud) => {
    for (const [, part] of remaining) await part(cloud);
  });
}
