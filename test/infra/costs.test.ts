import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withCosts } from '#scripts/costs.ts';
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

describe('what the service costs', async () => {
  const { assembly, resolver } = await realStacks();

  it('is in the runbook, as npm run costs writes it', () => {
    const written = withCosts(runbook, resolver, report).split('\n');
    const former = new Set(runbook.split('\n'));
    expect(
      written.filter((line) => !former.has(line)),
      'run "npm run costs"',
    ).toEqual([]);
  });

  it('is not told from a report that lacks an operation', () => {
    const incomplete = report.replaceAll('| getMe |', '| getYou |');
    expect(() => withCosts(runbook, resolver, incomplete)).toThrow('REPORT.md has no getMe');
  });

  it('counts every type of resource that is there', () => {
    const types = new Set(assembly.resources.map(({ type }) => type));
    expect([...types].sort()).toEqual([...FREE_AT_REST, ...ALWAYS_PAID].sort());
  });
});
