import { endpointFunction } from '#infra/functions.ts';
import type { Cloud } from '#scripts/local/cloud.ts';
import { type Caller, endpointOf, type Input, makeCaller } from './caller.ts';
import type { Effort } from './effort.ts';
import { callsOf, costOf, metered, type OperationCost } from './meter.ts';
import { assertOk, YEAR } from './scenarios.ts';
import { median } from './statistics.ts';

/** How lists and summaries fare as an organization's entries grow. */

export interface Growth {
  readonly entries: number;
  /** The entries are spread evenly over these days. */
  readonly days: number;
  readonly seedSeconds: number;
  readonly readings: readonly Reading[];
}

export interface Reading extends Pick<OperationCost, 'roundTrips' | 'databaseCalls' | 'readUnits'> {
  readonly name: string;
  readonly medianMilliseconds: number;
}

interface Size extends Pick<Growth, 'entries' | 'days'> {}

const ENTRIES_OF_A_DAY = 100;

/** Days with many entries each. */
const CROWDED: Size = { entries: 20_000, days: 10 };

/** A team whose years go by, and a team whose days have twenty times as many entries. */
const SIZES: readonly Size[] = [
  ...[1_000, 10_000, 100_000, 1_000_000].map((entries) => ({ entries, days: entries / ENTRIES_OF_A_DAY })),
  CROWDED,
];

export const PROJECTS = 50;
const UNTIL = '2026-01-01';
const REQUESTS = 21;

const SIZES_OF: Readonly<Record<Effort, readonly Size[]>> = {
  sample: SIZES.slice(0, 2),
  full: SIZES,
};

export async function measureGrowth(cloud: Cloud, effort: Effort): Promise<Growth[]> {
  const growths: Growth[] = [];
  for (const size of SIZES_OF[effort]) {
    console.log(`  ${size.entries.toLocaleString('en')} entries over ${size.days} days`);
    growths.push(await measureSize(cloud, size));
  }
  return growths;
}

async function measureSize(cloud: Cloud, { entries, days }: Size): Promise<Growth> {
  const startedAt = performance.now();
  const by = await makeCaller(cloud, { entries, days, projects: PROJECTS, until: UNTIL, isOpened: isOpened(days) });
  const seedSeconds = (performance.now() - startedAt) / 1_000;
  const readings: Reading[] = [];
  for (const question of questionsOf(by, entries, days)) readings.push(await read(cloud, by, question));
  return { entries, days, seedSeconds, readings };
}

const MILLISECONDS_PER_DAY = 86_400_000;

/**
 * The days that pages show: the last weeks, the middle of the last year, the first days. Of all other days only the
 * ledger and the calendar are needed.
 */
function isOpened(days: number): (date: string) => boolean {
  const middle = Math.min(days, DAYS_OF_YEAR) / 2;
  return (date) => {
    const daysBack = (Date.parse(UNTIL) - Date.parse(date)) / MILLISECONDS_PER_DAY;
    return daysBack <= 31 || Math.abs(daysBack - middle) <= 3 || daysBack > days - 3;
  };
}

interface Question extends Pick<Reading, 'name'> {
  readonly operationId: string;
  readonly query: Input['query'];
}

function questionsOf(by: Caller, entries: number, days: number): Question[] {
  const inYear = Math.floor((entries * Math.min(days, DAYS_OF_YEAR)) / days);
  const [projectId = ''] = by.projectIds;
  const deep = { ...YEAR, offset: String(Math.floor(inYear / 2)) };
  return [
    { name: LIST, operationId: 'listEntries', query: YEAR },
    { name: DEEP_LIST, operationId: 'listEntries', query: deep },
    { name: SUMMARY, operationId: 'summarizeEntries', query: YEAR },
    { name: PROJECT_LIST, operationId: 'listEntries', query: { ...YEAR, projectId } },
    { name: ALL_TIME, operationId: 'listEntries', query: {} },
    {
      name: 'deepest list of all time',
      operationId: 'listEntries',
      query: { offset: String(entries - PAGE) },
    },
  ];
}

const LIST = 'list';
const DEEP_LIST = 'deep list';
const SUMMARY = 'summary';
const ALL_TIME = 'list of all time';
const PROJECT_LIST = 'list of a project';

const DAYS_OF_YEAR = 365;
const PAGE = 50;

async function read(cloud: Cloud, by: Caller, question: Question): Promise<Reading> {
  const { name, operationId, query } = question;
  const request = async () => assertOk(await by.call(operationId, { query }));
  await request();
  const functionName = endpointFunction(endpointOf(operationId)).name;
  const { roundTrips, databaseCalls, readUnits } = costOf(
    callsOf(await metered(cloud, request, functionName), functionName),
  );
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const startedAt = performance.now();
    await request();
    times.push(performance.now() - startedAt);
  }
  return { name, roundTrips, databaseCalls, readUnits, medianMilliseconds: median(times) };
}
