import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PRICES } from '#scripts/bench/prices.ts';
import { costTables, withTables } from '#scripts/costs.ts';
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

/** What the service costs, counted in its templates and measured: the runbook says the same. */

const root = join(import.meta.dirname, '../..');
const runbook = readFileSync(join(root, 'infra/RUNBOOK.md'), 'utf8');
const report = readFileSync(join(root, 'scripts/bench/REPORT.md'), 'utf8');

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

/** An event of a warm function, which Lambda bills as a millisecond. */
const WARM_UPS_A_MONTH = (30 * 24 * 60) / 5;
const MEGABYTES = 1_024;

describe('what the service costs', async () => {
  const { assembly, blueprint, tables, resolver } = await realStacks();

  it('is in the tables of the runbook, as npm run costs writes them', () => {
    expect(runbook).toBe(withTables(runbook, costTables(resolver, report)));
  });

  it('is not told from a report that lacks an operation', () => {
    const incomplete = report.replaceAll('| getMe |', '| getYou |');
    expect(() => costTables(resolver, incomplete)).toThrow('REPORT.md has no getMe');
  });

  it('is at most what the runbook says for the metrics of calls', () => {
    const operations = tables.routes.length;
    const ofWholeService = [DURATION, PROVIDER_ERRORS, COLD_STARTS, REFUSED_REQUESTS, ...COUNTERS].length;
    const ofOperations = operations * [CLIENT_ERRORS, SERVER_ERRORS].length;
    const ofUnmatchedRoutes = [CLIENT_ERRORS, SERVER_ERRORS].length;
    const ofQueues = blueprint.eventSources.length * [DURATION, FAILURES].length;
    const most = ofWholeService + ofOperations + ofUnmatchedRoutes + ofQueues;
    expect(runbook).toContain(
      `${dollars(most * PRICES.customMetric)} at most, where all of the ${operations} operations`,
    );
  });

  it('has the price in the runbook for functions that are kept warm', () => {
    const kept = tables.routes.filter(({ scope }) => scope !== null).length;
    const gigabyteSeconds = MEGABYTES / 1_024 / 1_000;
    const each = PRICES.millionLambdaRequests / 1_000_000 + gigabyteSeconds * PRICES.lambdaGigabyteSecond;
    expect(runbook).toContain(`each of the ${kept} functions that take a key`);
    expect(runbook).toContain(`That is ${dollars(kept * WARM_UPS_A_MONTH * each)} a month for calls`);
  });

  it('counts every type of resource that is there', () => {
    const types = new Set(assembly.resources.map(({ type }) => type));
    expect([...types].sort()).toEqual([...FREE_AT_REST, ...ALWAYS_PAID].sort());
  });
});

describe('a table of the runbook', () => {
  const table = '| a | b |\n| --- | ---: |\n| new | 2 |';

  it('takes the place of the one with its head, and leaves the rest as it is', () => {
    const before = 'Text.\n\n| a | b |\n| --- | ---: |\n| old | 1 |\n\nMore.\n\n| c |\n| --- |\n';
    expect(withTables(before, [table])).toBe(before.replace('old | 1', 'new | 2'));
  });

  it('is missed where it is gone', () => {
    expect(() => withTables('Text.\n', [table])).toThrow('| a | b |');
  });
});
