import { parseArgs } from 'node:util';
import type { Cloud } from '#scripts/local/cloud.ts';
import { UNKIND } from '#scripts/local/unkind.ts';
import { type Effort, effortOf } from './effort.ts';
import { measureGrowth } from './growth.ts';
import { measureImport } from './import.ts';
import { measureImportUnits } from './import-units.ts';
import { measureLoadTimes } from './load-time.ts';
import { measureOperations, type OperationsReport } from './operations.ts';
import { writeReport } from './report.ts';
import { measurePart, type Part } from './results.ts';
import { measureRush } from './rush.ts';
import { onScratchCloud } from './scratch-cloud.ts';
import { measureStackOverhead } from './stack-overhead.ts';
import { measureStartUp } from './start-up.ts';
import { measureTeam, type Team, teamText } from './team.ts';
import { measureProcessor } from './team-processor.ts';

/**
 * `npm run bench`: measures the service on this machine and writes `measurements.json`, `REPORT.md` and `curves.svg` beside this file, and the tables
 * of the README and the runbook that quote them. Names of parts measure these alone (`npm run bench -- operations imports`); what was measured
 * before stays in the report, which `npm run bench -- report` only writes anew. `--sample` measures a little of everything, and leaves what it finds in `dist/bench-sample`.
 * `rush` is measured only where it is named, alone, since its cloud is as unkind as AWS may be. `--against DIR` names a checkout of another version, with its packages: only with it is `processor` measured, which compares the two.
 */

/** The machine is never quite quiet: hence several rounds. */
const IMPORT_ROUNDS: Readonly<Record<Effort, number>> = { sample: 1, full: 5 };

const {
  values: { against, ...values },
  positionals: wanted,
} = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'boolean' }, against: { type: 'string' } },
});
const effort = effortOf(values);

const apart: Partial<Record<Part, () => Promise<void>>> = {
  startUp: () => measurePart('startUp', effort, measureStartUp),
  loadTimes: () => measurePart('loadTimes', effort, () => measureLoadTimes(effort)),
  httpStack: () => measurePart('httpStack', effort, measureStackOverhead),
  ...(against !== undefined && {
    processor: () => measurePart('processor', effort, () => measureProcessor(against, effort)),
  }),
};

const onCloud: Partial<Record<Part, (cloud: Cloud) => Promise<void>>> = {
  operations: (cloud) => measurePart('operations', effort, () => operationsOn(cloud)),
  imports: (cloud) => measurePart('imports', effort, () => measureImport(cloud, IMPORT_ROUNDS[effort])),
  importUnits: (cloud) => measurePart('importUnits', effort, () => measureImportUnits(cloud)),
  growth: (cloud) => measurePart('growth', effort, () => measureGrowth(cloud, effort)),
  team: (cloud) => measurePart('team', effort, () => teamOn(cloud)),
};

const RUSH: Part = 'rush';

async function operationsOn(cloud: Cloud): Promise<OperationsReport> {
  const report = await measureOperations(cloud, effort);
  for (const { operationId, reason } of report.unmeasured) console.error(`${operationId} was not measured: ${reason}`);
  if (report.unmeasured.length > 0) process.exitCode = 1;
  return report;
}

async function teamOn(cloud: Cloud): Promise<Team> {
  const team = await measureTeam(cloud, effort);
  console.log(teamText(team));
  return team;
}

/** Writes the documents anew, and measures nothing. */
const REPORT = 'report';

const all: string[] = [...Object.keys(apart), ...Object.keys(onCloud), RUSH, REPORT];
const unknown = wanted.filter((part) => !all.includes(part));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}. There are: ${all.join(', ')}`);

const isWanted = ([part]: [string, unknown]) => wanted.length === 0 || wanted.includes(part);

const isRush = wanted.includes(RUSH);
if (isRush && wanted.length > 1) throw new Error(`${RUSH} is measured alone.`);

const remaining = Object.entries(onCloud).filter(isWanted);
try {
  for (const [, measure] of Object.entries(apart).filter(isWanted)) await measure();
  if (isRush) {
    await onScratchCloud((cloud) => measurePart(RUSH, effort, () => measureRush(cloud, effort)), UNKIND);
  }
  if (remaining.length > 0) {
    await onScratchCloud(async (cloud) => {
      for (const [, measure] of remaining) await measure(cloud);
    });
  }
} finally {
  console.log(`The report is in ${await writeReport(effort)}.`);
}
