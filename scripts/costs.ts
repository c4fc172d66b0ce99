import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { tables } from '#infra/functions.ts';
import {
  CLIENT_ERRORS,
  COLD_STARTS,
  COUNTERS,
  DURATION,
  FAILURES,
  PROVIDER_ERRORS,
  REFUSED_REQUESTS,
  SERVER_ERRORS,
} from '#shared/runtime/metric-names.ts';
import { markdownTable } from './bench/markdown.ts';
import { ASSUMED, PRICES, type Price, partsOf, requestMilliseconds, startPrice, total } from './bench/prices.ts';
import { ANSWER_KILOBYTES, functionOf, TEAM_MONTH } from './bench/team-month.ts';
import { type Blueprint, blueprintOf } from './local/blueprint.ts';
import { Resolver } from './local/resolve.ts';
import { loadAssembly } from './local/template.ts';
import { ensureSynthesized } from './synth.ts';

/** `npm run costs`: writes the costs in the runbook, from the stacks, the report of the benchmark and prices. */

const RUNBOOK = join(import.meta.dirname, '../infra/RUNBOOK.md');
const REPORT = join(import.meta.dirname, 'bench/REPORT.md');

const TEAMS = [0, 10, 1_000];

const MINUTES_PER_MONTH = 30 * 24 * 60;

/** Calls for an empty queue: Lambda has five pollers for it, and each waits 20 seconds for a message. */
const RECEIVES_PER_MINUTE = 15;

/** A run of a schedule that finds nothing to do asks the eight shards of an index at once. */
const IDLE_RUN = {
  roundTrips: 1,
  readUnits: 4,
  writeUnits: 0,
  queueRequests: 0,
  kmsCalls: 0,
  milliseconds: 0,
  isAuthenticated: false,
};

const dollars = (amount: number) => amount.toFixed(2);

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** @returns the runbook with the costs of now, in its tables and in what it says of them */
export function withCosts(runbook: string, resolver: Resolver, report: string): string {
  return withTables(withSentences(runbook, costSentences(blueprintOf(resolver))), costTables(resolver, report));
}

/** Each begins with a head of its own. */
function costTables(resolver: Resolver, report: string): string[] {
  const blueprint = blueprintOf(resolver);
  const idle = idleCosts(resolver, blueprint);
  const operations = operationsIn(report);
  return [operationTable(operations), idleTable(idle), teamTable(operations, sum(idle.map(costOf)), blueprint)];
}

/** @throws Error if the document has no table with the head of one of these */
function withTables(document: string, replacing: readonly string[]): string {
  return replacing.reduce((text, table) => {
    const [head = ''] = table.split('\n', 1);
    const from = text.indexOf(`\n${head}\n`) + 1;
    if (from === 0) throw new Error(`There is no table with the head ${head}`);
    const until = text.indexOf('\n\n', from);
    return text.slice(0, from) + table + text.slice(until);
  }, document);
}

const NUMBER = /\d[\d.,]*/g;

/**
 * The same words stand in the document, with other numbers perhaps.
 *
 * @throws Error if they do not
 */
function withSentences(document: string, sentences: readonly string[]): string {
  return sentences.reduce((text, sentence) => {
    const words = sentence.split(NUMBER).map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
    const former = new RegExp(words.join(NUMBER.source));
    if (!former.test(text)) throw new Error(`There are no words such as "${sentence}"`);
    return text.replace(former, sentence);
  }, document);
}

/** An event of a warm function, which Lambda bills as a millisecond. */
const WARM_UPS_A_MONTH = MINUTES_PER_MONTH / 5;
const WARM_UP_GIGABYTE_SECONDS = 1 / 1_000;

function costSentences({ eventSources }: Blueprint): string[] {
  const operations = tables.routes.length;
  const ofWholeService = [DURATION, PROVIDER_ERRORS, COLD_STARTS, REFUSED_REQUESTS, ...COUNTERS].length;
  // Requests without a route fail as well.
  const ofOperations = (operations + 1) * [CLIENT_ERRORS, SERVER_ERRORS].length;
  const ofQueues = eventSources.length * [DURATION, FAILURES].length;
  const metrics = (ofWholeService + ofOperations + ofQueues) * PRICES.customMetric;
  const kept = tables.routes.filter(({ scope }) => scope !== null).length;
  const warmUp = PRICES.millionLambdaRequests / 1_000_000 + WARM_UP_GIGABYTE_SECONDS * PRICES.lambdaGigabyteSecond;
  return [
    `${dollars(metrics)} at most, where all of the ${operations} operations`,
    `each of the ${kept} functions that take a key`,
    `That is ${dollars(kept * WARM_UPS_A_MONTH * warmUp)} a month for calls`,
  ];
}

interface Operation {
  readonly name: string;
  readonly timesPerMonth: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly price: Price;
  /** Dollars for a million instances that start. */
  readonly start: number;
}

const figure = v.pipe(v.string(), v.transform(Number), v.finite());

const figures = v.tuple(Array.from({ length: 7 }, () => figure));

/** KiB and milliseconds. */
const loadFigures = v.tuple([figure, figure]);

function cellsOf(report: string, name: string): string[] {
  const row = report.split('\n').find((line) => line.startsWith(`| ${name} | `));
  if (row === undefined) throw new Error(`REPORT.md has no ${name}: npm run bench -- load measures it.`);
  return row.split('|').slice(2, -1);
}

function operationsIn(report: string): Operation[] {
  return Object.entries(TEAM_MONTH).map(([name, timesPerMonth]) => {
    const { name: functionName, memoryMegabytes, authenticates: isAuthenticated } = functionOf(name);
    const [, next = 0, roundTrips = 0, readUnits = 0, writeUnits = 0, queueRequests = 0, kmsCalls = 0] = v.parse(
      figures,
      cellsOf(report, name),
    );
    const [, load = 0] = v.parse(loadFigures, cellsOf(report, functionName));
    const milliseconds = requestMilliseconds(next, roundTrips, memoryMegabytes);
    const asked = { roundTrips, readUnits, writeUnits, queueRequests, kmsCalls };
    const answerKilobytes = ANSWER_KILOBYTES[name];
    const price = partsOf({ ...asked, answerKilobytes, milliseconds, memoryMegabytes, isAuthenticated });
    const start = startPrice(load, memoryMegabytes);
    return { name, timesPerMonth, readUnits, writeUnits, start, price: isAuthenticated ? price : fromQueue(price) };
  });
}

/** Work that no request asks for does not come through the gateway, and answers nobody. */
function fromQueue(price: Price): Price {
  const answer = ASSUMED.answerKilobytes * PRICES.dataOutGigabyte;
  return { ...price, beginning: price.beginning - PRICES.millionHttpApiRequests - answer };
}

function operationTable(operations: readonly Operation[]): string {
  const rows = operations.map(({ name, timesPerMonth, readUnits, writeUnits, price, start }) => [
    `\`${name}\``,
    timesPerMonth.toLocaleString('en'),
    `${readUnits} reads, ${writeUnits} writes`,
    dollars(price.table),
    dollars(price.compute),
    dollars(total(price)),
    dollars(start),
  ]);
  const head = [
    'a million times',
    'a month, of a team',
    'units of the table',
    'table',
    'compute',
    'in all',
    'a million starts',
  ];
  return markdownTable(head, rows);
}

interface IdleCost {
  readonly what: string;
  readonly count: number;
  readonly price: number;
  readonly per: 1 | 1_000_000;
}

const costOf = ({ count, price, per }: IdleCost) => (count * price) / per;

const watching = v.object({ Metrics: v.optional(v.array(v.object({ MetricStat: v.optional(v.unknown()) }))) });

function idleCosts(resolver: Resolver, { eventSources, functions }: Blueprint): IdleCost[] {
  const alarms = resolver.resourcesOf('AWS::CloudWatch::Alarm');
  const watched = alarms.map((alarm) => {
    const { Metrics } = v.parse(watching, resolver.propertiesOf(alarm));
    return Metrics ? Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length : 1;
  });
  const receives = eventSources.length * RECEIVES_PER_MINUTE * MINUTES_PER_MONTH;
  const names = tables.schedules.map(({ name }) => `billwright-${name}`);
  const scheduled = functions.filter(({ name }) => names.includes(name));
  const memoryMegabytes = Math.max(...scheduled.map((each) => each.memoryMegabytes));
  const run = total(fromQueue(partsOf({ ...IDLE_RUN, memoryMegabytes })));
  const runs = sum(tables.schedules.map(({ everyMinutes }) => MINUTES_PER_MONTH / everyMinutes));
  const countOf = (type: string) => resolver.resourcesOf(type).length;
  return [
    {
      what: `metrics that the ${alarms.length} alarms look at`,
      count: sum(watched),
      price: PRICES.alarmMetric,
      per: 1,
    },
    { what: 'the dashboard', count: countOf('AWS::CloudWatch::Dashboard'), price: PRICES.dashboard, per: 1 },
    {
      what: `receives from the ${eventSources.length} queues with a worker, while they are empty`,
      count: receives,
      price: PRICES.millionFifoRequests,
      per: 1_000_000,
    },
    { what: 'the KMS key', count: countOf('AWS::KMS::Key'), price: PRICES.kmsKey, per: 1 },
    { what: 'scheduled runs that find nothing to do', count: runs, price: run, per: 1_000_000 },
  ];
}

function idleTable(costs: readonly IdleCost[]): string {
  const rows = costs.map((cost) => [
    cost.what,
    cost.count.toLocaleString('en'),
    cost.per === 1 ? dollars(cost.price) : `${dollars(cost.price)} a million`,
    dollars(costOf(cost)),
  ]);
  const all = ['in all', '', '', dollars(sum(costs.map(costOf)))];
  return markdownTable(['a month', 'how many', 'each', 'cost'], [...rows, all]);
}

/** The metrics that are written where nothing fails. Each function of a queue has a duration. */
const METRICS_OF_SUCCESS = [DURATION, COLD_STARTS];

function teamTable(operations: readonly Operation[], idle: number, { eventSources }: Blueprint): string {
  const monthly = (pick: (price: Price) => number) =>
    sum(operations.map(({ timesPerMonth, price }) => (timesPerMonth * pick(price)) / 1_000_000));
  const starts = sum(
    operations.map(({ timesPerMonth, start }) => (timesPerMonth * ASSUMED.coldShare * start) / 1_000_000),
  );
  const metrics = (METRICS_OF_SUCCESS.length + eventSources.length) * PRICES.customMetric;
  const costs: [what: string, of: (teams: number) => number][] = [
    ['without a single call', () => idle],
    ['metrics of ours, where nothing fails', (teams) => (teams > 0 ? metrics : 0)],
    ['gateway, calls of functions, logs, answers, keys', (teams) => teams * monthly(({ beginning }) => beginning)],
    ['time of functions', (teams) => teams * monthly(({ compute }) => compute)],
    ['starts of instances', (teams) => teams * starts],
    ['units of the table', (teams) => teams * monthly(({ table }) => table)],
    ['messages and the KMS key', (teams) => teams * monthly(({ messages }) => messages)],
    ['in all', (teams) => sum(costs.slice(0, -1).map(([, of]) => of(teams)))],
  ];
  const head = [
    'a month of',
    ...TEAMS.map((teams) => (teams === 0 ? 'nobody' : `${teams.toLocaleString('en')} teams`)),
  ];
  return markdownTable(
    head,
    costs.map(([what, of]) => [what, ...TEAMS.map((teams) => dollars(of(teams)))]),
  );
}

if (import.meta.main) {
  const resolver = new Resolver(loadAssembly(await ensureSynthesized()));
  writeFileSync(RUNBOOK, withCosts(readFileSync(RUNBOOK, 'utf8'), resolver, readFileSync(REPORT, 'utf8')));
}
