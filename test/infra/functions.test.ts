import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type Access, accessOf } from '#infra/access.ts';
import { WRITE_ACTIONS } from '#infra/calls.ts';
import { type FunctionDefinition, functionsOf } from '#infra/functions.ts';
import { type ItemKind, partitionsOf } from '#infra/item-kinds.ts';
import type { FunctionPlan } from '#scripts/local/plans/functions.ts';
import { RolePolicy } from '#scripts/local/policy.ts';
import { sampleStacks } from './sample.ts';
import { realStacks, type Stacks } from './stacks.ts';

/** What IAM calls the calls of the SDK, spelled once more. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  BatchGet: ['dynamodb:BatchGetItem'],
  BatchWrite: ['dynamodb:BatchWriteItem'],
  ConditionCheck: ['dynamodb:ConditionCheckItem'],
  Decrypt: ['kms:Decrypt'],
  Delete: ['dynamodb:DeleteItem'],
  Encrypt: ['kms:Encrypt'],
  Get: ['dynamodb:GetItem'],
  Put: ['dynamodb:PutItem'],
  Query: ['dynamodb:Query'],
  SendMessage: ['sqs:SendMessage'],
  SendMessageBatch: ['sqs:SendMessage'],
  TransactWrite: [],
  Update: ['dynamodb:UpdateItem'],
};

const READS: readonly string[] = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'];

const BUCKETS_OF_KEYS_ONLY = {
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEY#*'] },
  'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'fullAt', 'interval'] },
};

const partitionsOfAll = (kinds: readonly ItemKind[]) => kinds.flatMap((kind) => partitionsOf[kind]);

const ANY_ID = '?'.repeat(36);

const KEPT_ANSWERS = [`ORG#${ANY_ID}#IDEMPOTENCY#${ANY_ID}`];

const KEPT_ANSWERS_ONLY = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': KEPT_ANSWERS } };

const CALLERS_ONLY = {
  'ForAllValues:StringLike': {
    'dynamodb:LeadingKeys': [`ORG#${ANY_ID}`, `ORG#${ANY_ID}#ROSTER`, `ORG#${ANY_ID}#USER`],
  },
};

const LINKED = ['PERSON#*', `ORG#${ANY_ID}#LINK`, `KEY#${ANY_ID}:${ANY_ID}`, 'KEY#PERSON#*', `ORG#${ANY_ID}#USER`];

const LINKED_ATTRIBUTES = [
  'pk',
  'sk',
  'fullAt',
  'interval',
  'expiresAtEpochSeconds',
  'linkGeneration',
  'organizationId',
  'person',
  'rateLimit',
  'signIns',
  'userId',
  'version',
];

/** Which user a person who has signed in is, and the link of the first request that names the organization. */
const SIGN_IN = [
  ['dynamodb:GetItem', ['PERSON#*', 'EMAIL#*']],
  ['dynamodb:Query', ['PERSON#*', 'EMAIL#*']],
  ['dynamodb:BatchGetItem', [`ORG#${ANY_ID}#USER`, `ORG#${ANY_ID}`]],
  ['dynamodb:UpdateItem', LINKED, LINKED_ATTRIBUTES],
] as const;

const LAYOUT_ITEM_ONLY = { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['LAYOUT'] } };

describe.each([
  ['the service', await realStacks()],
  ['a service with one of everything', await sampleStacks()],
])('functions of %s', (_, stacks) => {
  const definitions = functionsOf(stacks.tables).map((definition) => [definition.name, definition] as const);

  it('are those of the tables and no others', () => {
    const names = stacks.blueprint.functions.map(({ name }) => name);
    expect(names.toSorted()).toEqual(definitions.map(([name]) => `billwright-${name}`).toSorted());
  });

  it.each(definitions)('%s may do exactly what its code calls, on what its row names', (_name, definition) => {
    const granted = grantsOf(planOf(stacks, definition));
    expect(granted.toSorted()).toEqual(grantsOfCode(stacks, definition).toSorted());
  });

  it.each(definitions)('%s writes only the kinds of items that its contract names', (_name, definition) => {
    const allowed = writablePartitions(planOf(stacks, definition));
    const kinds = Object.entries(SAMPLES).filter(([, keys]) => keys.some((key) => allowed(key)));
    const { writes = [] } = accessOf(definition.name, stacks.tables.access);
    const written = implied(writes);
    expect(kinds.map(([kind]) => kind).toSorted()).toEqual([...new Set(written)].toSorted());
    for (const kind of writes) expect(SAMPLES[kind].every(allowed)).toBe(true);
  });

  it.each(definitions)('%s has a role within the size that IAM takes', (_name, definition) => {
    // Characters of all inline policies of a role, without white space.
    expect(JSON.stringify(planOf(stacks, definition).statements).length).toBeLessThan(10_240);
  });

  it.each(definitions)('%s has no wildcard but the streams of its own log group', (_name, definition) => {
    const { statements, name } = planOf(stacks, definition);
    const wildcards = statements
      .flatMap(({ Action, Resource }) => [...Action, ...Resource])
      .filter((text) => text.includes('*'));
    expect(wildcards).toEqual([expect.stringMatching(new RegExp(`:log-group:/aws/lambda/${name}:\\*$`))]);
  });

  it.each(definitions)('%s has the concurrency of its contract', (_name, definition) => {
    expect(planOf(stacks, definition).reservedConcurrency).toBe(definition.ownConcurrency);
  });

  it.each(definitions)('%s is told only of what it may touch', (_name, definition) => {
    const { authenticates } = definition;
    const access = accessOf(definition.name, stacks.tables.access);
    const { environment } = planOf(stacks, definition);
    const actions = calledBy(stacks, definition);
    const expected = ['LOG_LEVEL', 'POWERTOOLS_METRICS_NAMESPACE', 'POWERTOOLS_SERVICE_NAME'];
    if (authenticates || access.asksLayout || actions.some(isOfTable)) expected.push('TABLE_NAME');
    if (authenticates) expected.push('OIDC_ISSUER', 'OIDC_AUDIENCE');
    if (actions.some(isOfSecrets)) expected.push('SECRETS_KEY_ID', 'REMOTE_API_URL');
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
      Handler: v.literal('start.handler'),
      Role: v.string(),
      LoggingConfig: v.object({
        LogFormat: v.literal('JSON'),
        LogGroup: v.string(),
        SystemLogLevel: v.literal('WARN'),
      }),
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
    ['accountConcurrency', '5'],
    ['workers', { 'thing-events': 1 }],
  ])('names a wrong setting: %s', async (name, value) => {
    await expect(sampleStacks({ [name]: value })).rejects.toThrow(name);
  });
});

function planOf(stacks: Stacks, { name }: FunctionDefinition): FunctionPlan {
  const plan = stacks.blueprint.functions.find((candidate) => candidate.name === `billwright-${name}`);
  if (!plan) throw new Error(`There is no function ${name}.`);
  return plan;
}

const ORGANIZATION = '019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61';
const ID = '019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a62';
const PERSON = `PERSON#${'0a'.repeat(32)}`;
const of = (rest: string) => `ORG#${ORGANIZATION}${rest}`;

/** Partition keys as they lie in the table, spelled once more. */
const SAMPLES: Readonly<Record<ItemKind, readonly string[]>> = {
  anyOfOrganization: [of('#WHATEVER')],
  apiKey: [`KEY#${'0a'.repeat(32)}`, `KEYID#${ID}`, of('#APIKEY'), of('#ROSTER')],
  client: [of('#CLIENT')],
  count: [of('#COUNT')],
  creditNote: [of('#CREDIT_NOTE'), of(`#CREDIT_NOTE#${ID}`)],
  deleted: [of('#DELETED')],
  directory: [of('#DIRECTORY')],
  entry: [of(`#ENTRY#${ID}`), of('#DAY#2026-11-02')],
  hold: [of(`#HOLD#${ID}`), of('#BILLING')],
  importJob: [of('#IMPORT_JOB'), of(`#IMPORT_JOB#${ID}`), of('#HELD_BACK')],
  invoice: [of('#INVOICE'), of(`#INVOICE#${ID}`)],
  ledger: [of('#CALENDAR'), of('#LEDGER'), of('#LEDGER_YEAR')],
  organization: [of('')],
  organizationListing: ['ORGANIZATIONS', 'ORGANIZATIONS#COUNT'],
  organizationName: ['ORGANIZATION_NAMES'],
  payment: [of(`#INVOICE#${ID}#PAYMENT`)],
  person: [PERSON, of('#LINK'), `KEY#${ORGANIZATION}:${ID}`, `KEY#${PERSON}`],
  product: [of('#PRODUCT'), of('#PRODUCT_NAME#ALL'), of('#PRODUCT_NAME#ACTIVE'), of('#PRODUCT_TEXT')],
  project: [of('#PROJECT'), of('#NAME')],
  provider: ['PROVIDER'],
  remoteName: [of('#REMOTE_NAME')],
  timer: [of(`#USER#${ID}`), of(`#USER#${ID}#SESSION`)],
  user: [of('#USERNAME'), of('#USER'), `EMAIL#${'0a'.repeat(32)}`, `INVITATION#${'0a'.repeat(32)}`],
};

/** A function that writes whatever an organization has writes items of most kinds. Buckets of people lie among the keys. */
function implied(kinds: readonly ItemKind[]): string[] {
  if (!kinds.includes('anyOfOrganization')) return kinds.includes('apiKey') ? [...kinds, 'person'] : [...kinds];
  const ofOrganization = Object.entries(SAMPLES).filter(([, keys]) => keys.some((key) => key.startsWith('ORG#')));
  return [...new Set([...kinds, ...ofOrganization.map(([kind]) => kind)])];
}

/** Says whether the role of a function lets it put an item with this partition key, or write to it in another way. */
function writablePartitions({ statements }: FunctionPlan): (key: string) => boolean {
  const [{ arn = '' } = {}] = statements
    .flatMap(({ Resource }) => Resource.map((resource) => ({ arn: resource })))
    .filter(({ arn: each }) => each.includes(':table/'));
  const policy = new RolePolicy(statements);
  return (key) =>
    WRITE_ACTIONS.filter((action) => action !== 'dynamodb:ConditionCheckItem').some((action) =>
      policy.allows({
        action,
        resource: arn,
        conditionValues: { 'dynamodb:LeadingKeys': [key], 'dynamodb:Attributes': ['scopes'] },
      }),
    );
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

const isOfTable = (action: string) => action.startsWith('dynamodb:');

const isOfSecrets = (action: string) => action.startsWith('kms:');

/** An answer is kept by an update in the transaction that makes it true. */
function calledBy(stacks: Stacks, definition: FunctionDefinition): string[] {
  const { name, keepsAnswers } = definition;
  const keeps = keepsAnswers && accessOf(definition.name, stacks.tables.access).writes ? ['Update'] : [];
  return [
    ...new Set([...(stacks.calls[name] ?? []), ...keeps].flatMap((call) => ACTIONS[call] ?? `no action for ${call}`)),
  ];
}

function writable({ writes = [] }: Access, keepsAnswers = false) {
  const kept = keepsAnswers ? KEPT_ANSWERS : [];
  return { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...partitionsOfAll(writes), ...kept] } };
}

/** The same, from the code's calls and the contract. */
function grantsOfCode(stacks: Stacks, definition: FunctionDefinition): string[] {
  const { name, authenticates, keepsAnswers } = definition;
  const access = accessOf(definition.name, stacks.tables.access);
  const actions = calledBy(stacks, definition);
  const { tables, keys, queues, eventSources } = stacks.blueprint;
  const table = tables[0]?.arn ?? '';
  const queueArn = (queueName: string) =>
    queues.find((queue) => queue.name === `billwright-${queueName}.fifo`)?.arn ?? '';
  const logGroup = `arn:aws:logs:${table.split(':').slice(3, 5).join(':')}:log-group:/aws/lambda/billwright-${name}:*`;
  const source = eventSources.find(({ functionName }) => functionName === `billwright-${name}`);
  return [
    ...['logs:CreateLogStream', 'logs:PutLogEvents'].map((action) => grant(action, logGroup)),
    ...(authenticates
      ? [
          grant('dynamodb:UpdateItem', table, BUCKETS_OF_KEYS_ONLY),
          grant('dynamodb:GetItem', table, CALLERS_ONLY),
          ...SIGN_IN.map(([action, partitions, attributes]) =>
            grant(action, table, {
              'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
              ...(attributes && { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes } }),
            }),
          ),
        ]
      : []),
    ...(authenticates || access.asksLayout || actions.some(isOfTable)
      ? [grant('dynamodb:GetItem', table, LAYOUT_ITEM_ONLY)]
      : []),
    ...(keepsAnswers
      ? ['BatchGetItem', 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'].map((action) =>
          grant(`dynamodb:${action}`, table, KEPT_ANSWERS_ONLY),
        )
      : []),
    ...actions
      .filter(isOfTable)
      .map((action) => grant(action, table, READS.includes(action) ? undefined : writable(access, keepsAnswers))),
    ...(access.indexes ?? []).map((index) => grant('dynamodb:Query', `${table}/index/${index}`)),
    ...(access.sends ?? []).map((queueName) => grant('sqs:SendMessage', queueArn(queueName))),
    ...actions.filter(isOfSecrets).map((action) => grant(action, keys[0]?.arn ?? '')),
    ...(source
      ? ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map((action) =>
          grant(`sqs:${action}`, source.queue.arn),
        )
      : []),
  ];
}
