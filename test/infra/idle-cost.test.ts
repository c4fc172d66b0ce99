import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { markdownTable } from '#scripts/bench/markdown.ts';
import { PRICES, priceOf } from '#scripts/bench/prices.ts';
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
import { realStacks } from './stacks.ts';
import { watchedBy, watching } from './watched.ts';

/** What the service costs before anybody calls it, counted in its templates: the runbook says the same. */

const runbook = readFileSync(join(import.meta.dirname, '../../infra/RUNBOOK.md'), 'utf8');

const MINUTES_PER_MONTH = 30 * 24 * 60;

/** Of an empty queue: Lambda has five pollers for it, and each waits 20 seconds for a message. */
const RECEIVES_PER_MINUTE = 15;

/** A run of a schedule that finds nothing to do asks the eight shards of an index at once. */
const IDLE_RUN = {
  roundTrips: 1,
  readUnits: 4,
  writeUnits: 0,
  queueCalls: 0,
  kmsCalls: 0,
  milliseconds: 0,
  isAuthenticated: false,
};

/** Types of resources that take money only for what is done with them or lies in them. */
const FREE_AT_REST = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CloudFormation::Stack',
  'AWS::DynamoDB::GlobalTable',
  'AWS::Events::Rule',
  'AWS::IAM::Role',
  'AWS::KMS::Alias',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
];

const ALWAYS_PAID = [
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::KMS::Key',
  'AWS::Lambda::EventSourceMapping',
];

const dollars = (amount: number) => amount.toFixed(2);

describe('what the service costs by the month', async () => {
  const { ofType, assembly, blueprint, tables } = await realStacks();
  const alarms = ofType('AWS::CloudWatch::Alarm', watching);
  const watched = alarms.flatMap(({ properties }) => watchedBy(properties));

  it('without a single call is what the runbook says, row by row', () => {
    const sources = blueprint.eventSources.length;
    const receives = sources * RECEIVES_PER_MINUTE * MINUTES_PER_MONTH;
    const runs = tables.schedules.reduce((sum, { everyMinutes }) => sum + MINUTES_PER_MONTH / everyMinutes, 0);
    const names = tables.schedules.map(({ name }) => `billwright-${name}`);
    const functions = blueprint.functions.filter(({ name }) => names.includes(name));
    const memoryMegabytes = Math.max(...functions.map((each) => each.memoryMegabytes));
    const millionRuns = priceOf({ ...IDLE_RUN, memoryMegabytes }) - PRICES.millionHttpApiRequests;
    const costs: [what: string, count: number, price: number, per: number][] = [
      [`metrics that the ${alarms.length} alarms look at`, watched.length, PRICES.alarmMetric, 1],
      ['the dashboard', ofType('AWS::CloudWatch::Dashboard', v.unknown()).length, PRICES.dashboard, 1],
      [
        `receives from the ${sources} queues with a worker, while they are empty`,
        receives,
        PRICES.millionFifoMessages,
        1_000_000,
      ],
      ['the KMS key', ofType('AWS::KMS::Key', v.unknown()).length, PRICES.kmsKey, 1],
      ['metrics of ours that scheduled runs write', tables.schedules.length, PRICES.customMetric, 1],
      ['scheduled runs that find nothing to do', runs, millionRuns, 1_000_000],
    ];
    const rows = costs.map(([what, count, price, per]) => [
      what,
      count.toLocaleString('en'),
      per === 1 ? dollars(price) : `${dollars(price)} a million`,
      dollars((count * price) / per),
    ]);
    const sum = costs.reduce((total, [, count, price, per]) => total + (count * price) / per, 0);
    const table = markdownTable(['a month', 'how many', 'each', 'cost'], [...rows, ['in all', '', '', dollars(sum)]]);
    expect(runbook).toContain(`\n${table}\n`);
  });

  it('adds what the runbook says for the metrics of calls: those of success, and all that can be', () => {
    const operations = tables.routes.length;
    const ofWholeService = [DURATION, PROVIDER_ERRORS, COLD_STARTS, REFUSED_REQUESTS, ...COUNTERS].length;
    const ofOperations = operations * [DURATION, CLIENT_ERRORS, SERVER_ERRORS].length;
    const ofUnmatchedRoutes = [CLIENT_ERRORS, SERVER_ERRORS].length;
    const ofQueues = blueprint.eventSources.length * [DURATION, FAILURES].length;
    const most = ofWholeService + ofOperations + ofUnmatchedRoutes + ofQueues;
    expect(runbook).toContain(`${dollars(operations * PRICES.customMetric)} for the ${operations} operations`);
    expect(runbook).toContain(`${dollars(most * PRICES.customMetric)} at most`);
  });

  it('counts every type of resource that is there', () => {
    const types = new Set(assembly.resources.map(({ type }) => type));
    expect([...types].sort()).toEqual([...FREE_AT_REST, ...ALWAYS_PAID].sort());
  });
});
