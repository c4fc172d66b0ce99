import type { Cloud } from '#scripts/local/cloud.ts';
import { kebabCase } from '#shared/contract/endpoint.ts';
import { type Caller, type Input, newCaller } from './caller.ts';
import { costlyRequestOf, enrich, USUAL } from './costly-requests.ts';
import { connect } from './import.ts';
import type { Asked } from './memory.ts';
import { metered, untilQuiet } from './meter.ts';
import { TEAM_MONTH } from './team-month.ts';

/** The first and the next call of each operation that a team uses, in the organization of a small team. */

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

/** In milliseconds of the processor. */
export interface Round extends Asked {
  readonly first: number;
  readonly next: number;
}

type Send = () => Promise<unknown>;

export async function callsOfTeam(cloud: Cloud, rounds: number): Promise<Map<string, readonly Round[]>> {
  const by = await newCaller(cloud);
  await enrich(by, SIZE);
  const sync = await syncs(cloud, by);
  const found = new Map<string, readonly Round[]>();
  for (const operation of Object.keys(TEAM_MONTH)) {
    console.log(`  ${operation}`);
    const prepare = () => (operation === SYNC ? sync : request(by, operation));
    const ofOperation: Round[] = [];
    while (ofOperation.length < rounds) ofOperation.push(await roundOf(cloud, operation, prepare));
    found.set(operation, ofOperation);
  }
  return found;
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

async function roundOf(cloud: Cloud, operation: string, prepare: () => Send | Promise<Send>): Promise<Round> {
  const begin = await prepare();
  await cloud.endInstances(kebabCase(operation));
  const first = await processorMilliseconds(cloud, begin);
  const goOn = await prepare();
  const { result: next, cost } = await metered(cloud, () => processorMilliseconds(cloud, goOn));
  return { first, next, ...cost };
}

/** With what the call leaves to workers. */
async function processorMilliseconds(cloud: Cloud, send: Send): Promise<number> {
  await untilQuiet(cloud);
  const before = cloud.functionMilliseconds();
  await send();
  await untilQuiet(cloud);
  return cloud.functionMilliseconds() - before;
}
