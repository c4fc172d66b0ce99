import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { effortOf } from './effort.ts';
import { type Recording, recordImport } from './recording.ts';
import { writeReport } from './report.ts';
import { measurePart } from './results.ts';
import { onScratchCloud } from './scratch-cloud.ts';
import { type Answer, type Plan, type Run, simulate } from './simulation.ts';
import { percentile } from './statistics.ts';

/**
 * `npm run simulate`: records an import of 10,000 rows on a local cloud, and replays it where this machine does not reach. The same recording and
 * seed give the same figures: `npm run simulate -- --seed 7 --recorded` takes the recording of the last time, which `dist/` keeps.
 */

export interface Simulated {
  readonly name: string;
  /** Whether the README says it too. */
  readonly isQuoted: boolean;
  readonly imports: number;
  readonly seed: number;
  /** Of the recording: figures of equal digests can be compared. */
  readonly recording: string;
  readonly runs: number;
  readonly confirm: Percentiles;
  /** Share of confirms whose import went on after the answer. */
  readonly unfinishedShare: number;
  readonly imported: Percentiles;
  readonly neighbourCreate: Percentiles;
  readonly neighbourList: Percentiles;
  readonly colleagueCreate: Percentiles;
  readonly throttlesPerRun: number;
  readonly conflictsPerRun: number;
  readonly failedImports: number;
}

export interface Percentiles {
  readonly count: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  /** Answers that were a 503. */
  readonly refused: number;
}

interface Scene extends Omit<Plan, 'seed'> {
  readonly name: string;
  readonly isQuoted?: true;
  readonly runs: number;
}

/** DynamoDB gives a new table on demand as many. */
const PARTITIONS_OF_NEW_TABLE = 4;

const eachKeyApart = { partitions: null, burstSeconds: 0 };
const newTable = { partitions: PARTITIONS_OF_NEW_TABLE, burstSeconds: 0 };
const restedTable = { partitions: PARTITIONS_OF_NEW_TABLE, burstSeconds: 300 };
const grownTable = { partitions: 40, burstSeconds: 0 };

/** Requests of others are looked at as long as imports are under way. */
const SCENES: readonly Scene[] = [
  { name: 'nobody imports', imports: 0, table: eachKeyApart, seconds: 10, runs: 20 },
  { name: 'one import, a partition for each key', imports: 1, table: eachKeyApart, seconds: 10, runs: 50 },
  { name: 'one import, new table', isQuoted: true, imports: 1, table: newTable, seconds: 10, runs: 50 },
  { name: 'twenty at once, a partition for each key', imports: 20, table: eachKeyApart, seconds: 10, runs: 10 },
  {
    name: 'twenty at once, table of 40 partitions',
    isQuoted: true,
    imports: 20,
    table: grownTable,
    seconds: 10,
    runs: 10,
  },
  { name: 'twenty at once, new table, 300 s of burst saved', imports: 20, table: restedTable, seconds: 10, runs: 10 },
  { name: 'twenty at once, new table', isQuoted: true, imports: 20, table: newTable, seconds: 40, runs: 10 },
  {
    name: 'twenty at once, new table, unfinished messages visible again after 5 s',
    imports: 20,
    table: newTable,
    queue: { retryMilliseconds: 5_000 },
    seconds: 40,
    runs: 10,
  },
];

async function simulateScene(recording: Recording, scene: Scene, seed: number) {
  const { name, isQuoted = false, runs, ...plan } = scene;
  const plans = Array.from({ length: runs }, (_, i): Plan => ({ ...plan, seed: seed + i }));
  const done: Run[] = [];
  for (const plan of plans) done.push(await simulate(recording, plan));
  const confirms = done.flatMap((run) => run.confirms);
  const perRun = (count: (run: Run) => number) => done.reduce((sum, run) => sum + count(run), 0) / runs;
  return {
    name,
    isQuoted,
    imports: plan.imports,
    seed,
    recording: createHash('sha256').update(JSON.stringify(recording)).digest('hex').slice(0, 12),
    runs,
    confirm: percentilesOf(confirms),
    unfinishedShare: confirms.filter(({ status }) => status === 202).length / Math.max(1, confirms.length),
    imported: percentilesOf(done.flatMap((run) => run.imports.map((milliseconds) => ({ status: 200, milliseconds })))),
    neighbourCreate: percentilesOf(done.flatMap((run) => run.neighbourCreates)),
    neighbourList: percentilesOf(done.flatMap((run) => run.neighbourLists)),
    colleagueCreate: percentilesOf(done.flatMap((run) => run.colleagueCreates)),
    throttlesPerRun: perRun((run) => run.throttles),
    conflictsPerRun: perRun((run) => run.conflicts),
    failedImports: perRun((run) => run.failures) * runs,
  };
}

/** Of what was answered with success. */
function percentilesOf(answers: readonly Answer[]): Percentiles {
  const times = answers.filter(({ status }) => status < 300).map(({ milliseconds }) => milliseconds);
  return {
    count: answers.length,
    p50Milliseconds: percentile(times, 0.5),
    p99Milliseconds: percentile(times, 0.99),
    refused: answers.length - times.length,
  };
}

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, recorded: { type: 'boolean' }, sample: { type: 'boolean' } },
});
if (!/^\d+$/.test(values.seed)) throw new Error(`${values.seed} is no seed: it must be a whole number.`);
const seed = Number(values.seed);

const recordingFile = join(import.meta.dirname, '../../dist/import-recording.json');

async function lastOrNewRecording(): Promise<Recording> {
  if (values.recorded) return JSON.parse(await readFile(recordingFile, 'utf8'));
  const recording = await onScratchCloud(recordImport);
  await writeFile(recordingFile, JSON.stringify(recording));
  return recording;
}

const effort = effortOf(values);

await measurePart('simulation', effort, async () => {
  const recording = await lastOrNewRecording();
  const simulated: Simulated[] = [];
  for (const scene of SCENES) {
    console.log(`  ${scene.name}`);
    const runs = effort === 'sample' ? 1 : scene.runs;
    simulated.push(await simulateScene(recording, { ...scene, runs }, seed));
  }
  return simulated;
});
console.log(`The report is in ${await writeReport(effort)}.`);
