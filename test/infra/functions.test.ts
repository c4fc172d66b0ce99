import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type FunctionDefinition, functionsOf } from '#infra/functions.ts';
import type { FunctionPlan } from '#scripts/local/blueprint.ts';
import type { TableAction } from '#shared/contract/endpoint.ts';
import { sampleStacks } from './sample.ts';
import { realStacks, type Stacks } from './stacks.ts';

const READS: readonly TableAction[] = ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'Query'];

const KEY_ITEMS_ONLY = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEY#*'] } };

const LAYOUT_ITEM_ONLY = { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['LAYOUT'] } };

const NUMBER_OF_ORGANIZATIONS_ONLY = {
  'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['ORGANIZATIONS'] },
  StringEquals: { 'dynamodb:Select': ['COUNT'] },
};

describe.each([
  ['the service', await realStacks()],
  ['a service with one of everything', await sampleStacks()],
])('functions of %s', (_, stacks) => {
  const definitions = functionsOf(stacks.tables).map((definition) => [definition.name, definition] as const);

  it('are those of the tables and no others', () => {
    const names = stacks.blueprint.functions.map(({ name }) => name);
    expect(names.toSorted()).toEqual(definitions.map(([name]) => `billwright-${name}`).toSorted());
  });

  it.each(definitions)('%s may do exactly what its contract says', (_name, definition) => {
    const granted = grantsOf(planOf(stacks, definition));
    expect(granted.toSorted()).toEqual(grantsByContract(stacks, definition).toSorted());
  });

  it.each(definitions)(
    '%s can write nothing but key items, unless its contract writes',
    (_name, { access, ...rest }) => {
      const contractWrites = access.table?.some((action) => !READS.includes(action)) ?? false;
      const reads = READS.map((action) => `dynamodb:${action}`);
      const writes = planOf(stacks, { access, ...rest })
        .statements.filter(({ Action }) =>
          Action.some((action) => action.startsWith('dynamodb:') && !reads.includes(action)),
        )
        .filter(({ Condition }) => JSON.stringify(Condition) !== JSON.stringify(KEY_ITEMS_ONLY));
      expect(writes.length > 0).toBe(contractWrites);
    },
  );

  it.each(definitions)('%s has no wildcard but the streams of its own log group', (_name, definition) => {
    const { statements, name } = planOf(stacks, definition);
    const wildcards = statements
      .flatMap(({ Action, Resource }) => [...Action, ...Resource])
      .filter((text) => text.includes('*'));
    expect(wildcards).toEqual([expect.stringMatching(new RegExp(`:log-group:/aws/lambda/${name}:\\*$`))]);
  });

  it.each(definitions)('%s is told only of what it may touch', (_name, definition) => {
    const { access, authenticates } = definition;
    const { environment } = planOf(stacks, definition);
    const expected = ['LOG_LEVEL', 'POWERTOOLS_METRICS_NAMESPACE', 'POWERTOOLS_SERVICE_NAME'];
    if (authenticates || access.table || access.indexes) expected.push('TABLE_NAME');
    if (access.secrets) expected.push('SECRETS_KEY_ID', 'REMOTE_API_URL');
    for (const queue of access.sends ?? []) expected.push(`QUEUE_URL_${queue.replaceAll('-', '_').toUpperCase()}`);
    expect(Object.keys(environment).toSorted()).toEqual(expected.toSorted());
  });

  it.each(definitions)('%s has the memory and the time of its contract', (_name, definition) => {
    expect(planOf(stacks, definition)).toMatchObject({
      memoryMegabytes: definition.memoryMegabytes,
      timeoutSeconds: definition.timeoutSeconds,
    });
  });

  it('run Node.js 24 on arm64 and write JSON to a log group of their own', () => {
    const houseFunction = v.object({
      Runtime: v.literal('nodejs24.x'),
      Architectures: v.tuple([v.literal('arm64')]),
      Handler: v.literal('index.handler'),
      Role: v.string(),
      LoggingConfig: v.object({ LogFormat: v.literal('JSON'), LogGroup: v.string() }),
    });
    const functions = stacks.ofType('AWS::Lambda::Function', houseFunction);
    expect(new Set(functions.map(({ properties }) => properties.Role)).size).toBe(functions.length);
    expect(new Set(functions.map(({ properties }) => properties.LoggingConfig.LogGroup)).size).toBe(functions.length);
  });

  it('leave no log that is kept for ever', () => {
    const retained = v.object({ RetentionInDays: v.pipe(v.number(), v.maxValue(30)) });
    expect(stacks.ofType('AWS::Logs::LogGroup', retained).length).toBeGreaterThan(definitions.length);
  });

  it('have no role with a managed policy', () => {
    const ownPoliciesOnly = v.object({ ManagedPolicyArns: v.optional(v.never()) });
    expect(stacks.ofType('AWS::IAM::Role', ownPoliciesOnly)).toHaveLength(definitions.length);
    expect(stacks.ofType('AWS::IAM::Policy', v.unknown())).toEqual([]);
  });
});

describe('the sample service', async () => {
  it('calls the provider that its parameter names', async () => {
    const plan = (await sampleStacks()).blueprint.functions.find(({ name }) => name === 'billwright-create-thing');
    expect(plan?.environment.REMOTE_API_URL).toBe('https://api.harvestapp.com');
  });

  it('carries the stage in its names, but for production', async () => {
    const { blueprint } = await sampleStacks({ stage: 'staging' });
    expect(blueprint.functions.map(({ name }) => name)).toContain('billwright-staging-create-thing');
  });

  it.each([
    ['stage', 'beta'],
    ['logLevel', 'ERROR'],
    ['allowedOrigins', ['https://app.example.com/']],
    ['alarmEmail', 'nobody'],
    ['logRetentionDays', '31'],
  ])('names a wrong setting: %s', async (name, value) => {
    await expect(sampleStacks({ [name]: value })).rejects.toThrow(name);
  });
});

function planOf(stacks: Stacks, { name }: FunctionDefinition): FunctionPlan {
  const plan = stacks.blueprint.functions.find((candidate) => candidate.name === `billwright-${name}`);
  if (!plan) throw new Error(`There is no function ${name}.`);
  return plan;
}

/** `action on resource`, and `if condition` where there is one. */
function grantsOf({ statements }: FunctionPlan): string[] {
  return statements.flatMap(({ Effect, Action, Resource, Condition }) =>
    Action.flatMap((action) =>
      Resource.map((resource) => grant(action, resource, Effect === 'Allow' ? Condition : { Effect })),
    ),
  );
}

function grant(action: string, resource: string, condition: unknown = {}): string {
  return `${action} on ${resource} if ${JSON.stringify(condition)}`;
}

/** The same, from the contract alone. */
function grantsByContract(stacks: Stacks, { name, access, authenticates }: FunctionDefinition): string[] {
  const { tables, keys, queues, eventSources } = stacks.blueprint;
  const table = tables[0]?.arn ?? '';
  const queueArn = (queueName: string) =>
    queues.find((queue) => queue.name === `billwright-${queueName}.fifo`)?.arn ?? '';
  const logGroup = `arn:aws:logs:${table.split(':').slice(3, 5).join(':')}:log-group:/aws/lambda/billwright-${name}:*`;
  const source = eventSources.find(({ functionName }) => functionName === `billwright-${name}`);
  return [
    ...['logs:CreateLogStream', 'logs:PutLogEvents'].map((action) => grant(action, logGroup)),
    ...(authenticates ? [grant('dynamodb:UpdateItem', table, KEY_ITEMS_ONLY)] : []),
    ...(authenticates || access.table || access.indexes
      ? [
          grant('dynamodb:GetItem', table, LAYOUT_ITEM_ONLY),
          grant('dynamodb:Query', table, NUMBER_OF_ORGANIZATIONS_ONLY),
        ]
      : []),
    ...(access.table ?? []).map((action) => grant(`dynamodb:${action}`, table)),
    ...(access.indexes ?? []).map((index) => grant('dynamodb:Query', `${table}/index/${index}`)),
    ...(access.sends ?? []).map((queueName) => grant('sqs:SendMessage', queueArn(queueName))),
    ...(access.secrets ?? []).map((action) => grant(`kms:${action}`, keys[0]?.arn ?? '')),
    ...(source
      ? ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map((action) =>
          grant(`sqs:${action}`, source.queue.arn),
        )
      : []),
  ];
}
