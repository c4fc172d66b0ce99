import { functionsOf, tables } from '#infra/functions.ts';
import type { Cloud } from '#scripts/local/cloud.ts';
import { kebabCase } from '#shared/contract/endpoint.ts';
import type { Caller, Input } from './caller.ts';
import { markdownTable } from './markdown.ts';
import { type Measured, memoryTable } from './memory.ts';
import { onScratchCloud } from './scratch-cloud.ts';
import { median } from './statistics.ts';
import { TEAM_MONTH } from './team-month.ts';

/**
 * The processor time that a function takes for its first request, once it has started, and for the next one, with what
 * that asks of the table, of queues and of the key service.
 */

const FULL_ROUNDS = 5;

/** Of an organization with a twentieth of the riches of the dearest requests, as a small team has them. */
const SCALE = 1 / 20;

const LAST_MONTH = { dateFrom: '2025-12-01', dateTo: '2025-12-31' };

/** The dearest of these are searches of all that there is. */
const QUERIES: Readonly<Record<string, Input['query']>> = {
  listEntries: LAST_MONTH,
  summarizeEntries: { groupBy: 'project', ...LAST_MONTH },
  listProjects: {},
  listProducts: {},
};

/** By the name of the function, the processor time that it takes to load. */
type Loads = ReadonlyMap<string, number>;

export async function measureFirstCalls(loads: Loads, isSample: boolean): Promise<string> {
  const rounds = isSample ? 1 : FULL_ROUNDS;
  const measured = await onScratchCloud(async (cloud) => {
    const measure = await measurer(cloud);
    const found: Measured[] = [];
    for (const operation of Object.keys(TEAM_MONTH)) {
      console.log(`  ${operation}`);
      found.push(medians(operation, loads, await measure(operation, rounds)));
    }
    return found;
  });
  return [
    `Processor time of requests, medians of ${rounds} functions that have just started, and what the next request asks of the table (round trips and units), of queues and of the key service. The organization is small: 300 entries and a month of 100 more, 200 products, 100 clients. \`${SYNC}\` is a scheduled sync that finds nothing new, with the schedule that queues it.`,
    markdownTable(
      ['operation', 'first, ms', 'next, ms', 'round trips', 'reads', 'writes', 'messages', 'keys'],
      measured.map(rowOf),
    ),
    memoryTable(measured),
  ].join('\n\n');
}

/** The worker of syncs stands for them, among the operations. */
const SYNC = 'syncConnection';

type Round = Omit<Measured, 'operation' | 'memoryMegabytes' | 'load'>;

type Send = () => Promise<unknown>;

/** These modules read the environment when they are loaded: the cloud runs by now. */
async function measurer(cloud: Cloud): Promise<(operation: string, rounds: number) => Promise<Round[]>> {
  const { newCaller } = await import('./caller.ts');
  const { dearRequestOf, enrich, USUAL } = await import('./dear-requests.ts');
  const { metered, untilQuiet } = await import('./meter.ts');
  const riches = { scale: SCALE, texts: USUAL };
  const by = await newCaller(cloud);
  await enrich(by, riches);
  const prepared = async (operation: string): Promise<Send> => {
    if (operation === SYNC) return syncs(cloud, by);
    const query = QUERIES[operation];
    const input = query ? { query } : await dearRequestOf(operation, riches).prepare(by);
    return () => by.call(operation, input);
  };
  const milliseconds = async (send: Send): Promise<number> => {
    await untilQuiet(cloud);
    const before = cloud.functionMilliseconds();
    await send();
    await untilQuiet(cloud);
    return cloud.functionMilliseconds() - before;
  };
  const round = async (operation: string): Promise<Round> => {
    const begin = await prepared(operation);
    await cloud.endInstances(kebabCase(operation));
    const first = await milliseconds(begin);
    const goOn = await prepared(operation);
    const { result: next, cost } = await metered(cloud, () => milliseconds(goOn));
    return { first, next, ...cost };
  };
  return async (operation, rounds) => {
    const found: Round[] = [];
    while (found.length < rounds) found.push(await round(operation));
    return found;
  };
}

const MILLISECONDS_PER_DAY = 86_400_000;

let days = 0;

/** Each fires a day after the one before it, when the connection is due again. */
async function syncs(cloud: Cloud, by: Caller): Promise<Send> {
  if (days === 0) {
    const { connect } = await import('./import.ts');
    await connect(by);
    await by.call('updateRemoteSettings', { body: { syncEnabled: true } });
  }
  const fire = () => cloud.fireSchedule('sync-scheduler', new Date(Date.now() + days++ * MILLISECONDS_PER_DAY));
  if (days === 0) await fire();
  return fire;
}

function medians(operation: string, loads: Loads, rounds: readonly Round[]): Measured {
  const name = kebabCase(operation);
  const of = (pick: (round: Round) => number) => median(rounds.map(pick));
  const { memoryMegabytes } = functionsOf(tables).find((each) => each.name === name) ?? { memoryMegabytes: Number.NaN };
  return {
    operation,
    memoryMegabytes,
    load: loads.get(name) ?? Number.NaN,
    first: of(({ first }) => first),
    next: of(({ next }) => next),
    roundTrips: of(({ roundTrips }) => roundTrips),
    readUnits: of(({ readUnits }) => readUnits),
    writeUnits: of(({ writeUnits }) => writeUnits),
    queueCalls: of(({ queueCalls }) => queueCalls),
    kmsCalls: of(({ kmsCalls }) => kmsCalls),
  };
}

function rowOf({ operation, first, next, ...asked }: Measured): string[] {
  const { roundTrips, readUnits, writeUnits, queueCalls, kmsCalls } = asked;
  const counts = [roundTrips, readUnits, writeUnits, queueCalls, kmsCalls];
  return [operation, first.toFixed(1), next.toFixed(1), ...counts.map(String)];
}
