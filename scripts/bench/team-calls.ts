import type { Cloud } from '#scripts/local/cloud.ts';
import { kebabCase } from '#shared/contract/endpoint.ts';
import { type Caller, type Input, newCaller } from './caller.ts';
import { costlyRequestOf, enrich, USUAL } from './costly-requests.ts';
import { connect } from './import.ts';
import { markdownTable } from './markdown.ts';
import { metered, untilQuiet } from './meter.ts';
import { median } from './statistics.ts';
import { TEAM_MONTH } from './team-month.ts';

/**
 * The processor time that each operation of a team takes for its first request, once its function has started, and for the
 * next one, with what that asks of the table, of queues and of the key service.
 */

/** A small team has a twentieth of what the costliest requests meet. */
const SIZE = { scale: 1 / 20, texts: USUAL };

const LAST_MONTH = { dateFrom: '2025-12-01', dateTo: '2025-12-31' };

/** The costliest of these are searches of all that there is. */
const QUERIES: Readonly<Record<string, Input['query']>> = {
  listEntries: LAST_MONTH,
  summarizeEntries: { groupBy: 'project', ...LAST_MONTH },
  listProjects: {},
  listProducts: {},
};

/** The worker of syncs stands for them, among the operations. */
const SYNC = 'syncConnection';

const FULL_ROUNDS = 5;

const FIGURES = ['first, ms', 'next, ms', 'round trips', 'reads', 'writes', 'requests of queues', 'keys'];

type Send = () => Promise<unknown>;

export async function measure(cloud: Cloud, isSample: boolean): Promise<string> {
  const rounds = isSample ? 1 : FULL_ROUNDS;
  const by = await newCaller(cloud);
  await enrich(by, SIZE);
  const sync = await syncs(cloud, by);
  const rows: string[][] = [];
  for (const operation of Object.keys(TEAM_MONTH)) {
    console.log(`  ${operation}`);
    const prepare = () => (operation === SYNC ? sync : request(by, operation));
    const taken: number[][] = [];
    while (taken.length < rounds) taken.push(await roundOf(cloud, operation, prepare));
    const medians = FIGURES.map((_, figure) => median(taken.map((round) => round[figure] ?? Number.NaN)));
    rows.push([operation, ...medians.map((value, figure) => (figure < 2 ? value.toFixed(1) : String(value)))]);
  }
  return [
    `Processor time of requests, medians of ${rounds} functions that have just started, and what the next request asks of the table (round trips and units), of queues (by 64 KB, until the message is deleted) and of the key service. The organization is small: 300 entries and a month of 100 more, 200 products, 100 clients. \`syncConnection\` is a scheduled sync that finds nothing new, with the schedule that queues it.`,
    markdownTable(['operation', ...FIGURES], rows),
  ].join('\n\n');
}

async function request(by: Caller, operation: string): Promise<Send> {
  const query = QUERIES[operation];
  const input = query ? { query } : await costlyRequestOf(operation, SIZE).prepare(by);
  return () => by.call(operation, input);
}

const MILLISECONDS_PER_DAY = 86_400_000;

/** Each is a day after the one before it, when the connection is due again. The first one imports. */
async function syncs(cloud: Cloud, by: Caller): Promise<Send> {
  await connect(by);
  await by.call('updateRemoteSettings', { body: { syncEnabled: true } });
  let at = Date.now();
  const sync = () => {
    at += MILLISECONDS_PER_DAY;
    return cloud.fireSchedule('sync-scheduler', new Date(at));
  };
  await sync();
  return sync;
}

/** @returns the figures in their order */
async function roundOf(cloud: Cloud, operation: string, prepare: () => Send | Promise<Send>): Promise<number[]> {
  const begin = await prepare();
  await cloud.endInstances(kebabCase(operation));
  const first = await processorMilliseconds(cloud, begin);
  const goOn = await prepare();
  const { result: next, cost } = await metered(cloud, () => processorMilliseconds(cloud, goOn));
  return [first, next, cost.roundTrips, cost.readUnits, cost.writeUnits, cost.queueRequests, cost.kmsCalls];
}

/** With what the call leaves to workers. */
async function processorMilliseconds(cloud: Cloud, send: Send): Promise<number> {
  await untilQuiet(cloud);
  const before = cloud.functionMilliseconds();
  await send();
  await untilQuiet(cloud);
  return cloud.functionMilliseconds() - before;
}
