import type { Cloud } from '#scripts/local/cloud.ts';
import { type Caller, type Input, newCaller } from './caller.ts';
import { markdownTable } from './markdown.ts';
import { metered } from './meter.ts';
import { seed } from './seed.ts';
import { median } from './statistics.ts';

interface Size {
  readonly entries: number;
  /** The entries are spread evenly over these days. */
  readonly days: number;
}

const SAMPLE: readonly Size[] = [
  { entries: 1_000, days: 10 },
  { entries: 10_000, days: 100 },
];

/** A team whose years go by, and at last one whose days have twenty times as many entries. */
const SIZES: readonly Size[] = [
  ...SAMPLE,
  { entries: 100_000, days: 1_000 },
  { entries: 1_000_000, days: 10_000 },
  { entries: 20_000, days: 10 },
];

const PROJECTS = 50;
const UNTIL = '2026-01-01';
const YEAR = { dateFrom: '2025-01-01', dateTo: '2025-12-31' };
const DAYS_OF_YEAR = 365;

export async function measure(cloud: Cloud, isSample: boolean): Promise<string> {
  const rows: string[][] = [];
  for (const size of isSample ? SAMPLE : SIZES) {
    const sizes = [size.entries, size.days].map((count) => count.toLocaleString('en'));
    console.log(`  ${sizes.join(' entries, days ')}`);
    const by = await newCaller(cloud);
    const { organizationId, userId } = by;
    const plan = { organizationId, userId, ...size, projects: PROJECTS, until: UNTIL, isOpened: isOpened(size) };
    const [project] = await seed(plan);
    const cells: string[] = [];
    for (const question of questionsOf(size, project?.id ?? '')) cells.push(await cellOf(cloud, by, question));
    rows.push([...sizes, ...cells]);
  }
  const names = questionsOf({ entries: 0, days: 0 }, '').map(({ name }) => name);
  return [
    `An organization with ${PROJECTS} projects and entries spread evenly over days. \`list\`, \`deep list\` (from the middle on), \`summary\` and \`list of a project\` are of the last year; the others have no range of dates. A page has ${PAGE} entries. Cells: calls to the database, read units, median milliseconds of one caller.`,
    markdownTable(['entries', 'days', ...names], rows),
  ].join('\n\n');
}

const MILLISECONDS_PER_DAY = 86_400_000;

/** The days that pages show. All others are needed only in the ledger and the calendar. */
function isOpened({ days }: Size): (date: string) => boolean {
  const middle = Math.min(days, DAYS_OF_YEAR) / 2;
  return (date) => {
    const daysBack = (Date.parse(UNTIL) - Date.parse(date)) / MILLISECONDS_PER_DAY;
    return daysBack <= 31 || Math.abs(daysBack - middle) <= 3 || daysBack > days - 3;
  };
}

interface Question {
  readonly name: string;
  readonly operationId: string;
  readonly query: Input['query'];
}

const PAGE = 50;

function questionsOf({ entries, days }: Size, projectId: string): Question[] {
  const inYear = Math.floor((entries * Math.min(days, DAYS_OF_YEAR)) / days);
  const deep = { ...YEAR, offset: String(Math.floor(inYear / 2)) };
  const deepest = { offset: String(entries - PAGE) };
  return [
    { name: 'list', operationId: 'listEntries', query: YEAR },
    { name: 'deep list', operationId: 'listEntries', query: deep },
    { name: 'summary', operationId: 'summarizeEntries', query: YEAR },
    { name: 'list of a project', operationId: 'listEntries', query: { ...YEAR, projectId } },
    { name: 'list of all time', operationId: 'listEntries', query: {} },
    { name: 'deepest list of all time', operationId: 'listEntries', query: deepest },
  ];
}

const REQUESTS = 21;

async function cellOf(cloud: Cloud, by: Caller, { operationId, query }: Question): Promise<string> {
  const request = () => by.call(operationId, { query });
  await request();
  const { cost } = await metered(cloud, request);
  const times: number[] = [];
  while (times.length < REQUESTS) {
    const startedAt = performance.now();
    await request();
    times.push(performance.now() - startedAt);
  }
  return `${cost.calls}, ${cost.readUnits} RU, ${median(times).toFixed(0)} ms`;
}
