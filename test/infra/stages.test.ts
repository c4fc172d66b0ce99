import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  assertAccount,
  assertRegion,
  assertSettings,
  assertSuitable,
  prefixOf,
  readConfig,
  STAGES,
  workersOf,
} from '#infra/config.ts';
import { assertWithinLimits, functionsOf, tables } from '#infra/functions.ts';
import type { Resource } from '#scripts/local/template.ts';
import { MAX_WEBHOOKS } from '#shared/domain/events/webhook.ts';
import { ALL_SETTINGS, sampleStacks, sampleTables } from './sample.ts';
import type { Stacks } from './stacks.ts';

/** Whatever stage it is, what nobody may do without; and what each has of its own. */

const stages = await Promise.all(
  STAGES.map(async (stage) => [stage, await sampleStacks({ stage })] as const satisfies [string, Stacks]),
);

const table = v.object({
  Replicas: v.tuple([
    v.object({
      DeletionProtectionEnabled: v.boolean(),
      PointInTimeRecoverySpecification: v.object({ PointInTimeRecoveryEnabled: v.literal(true) }),
    }),
  ]),
});

const gatewayStage = v.object({
  AccessLogSettings: v.object({ DestinationArn: v.string() }),
  DefaultRouteSettings: v.object({ ThrottlingRateLimit: v.number(), ThrottlingBurstLimit: v.number() }),
});

const houseFunction = v.object({
  FunctionName: v.string(),
  LoggingConfig: v.object({ ApplicationLogLevel: v.string() }),
});

/** CloudFormation has no tags for these. */
const UNTAGGABLE = [
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::Backup::BackupSelection',
  'AWS::KMS::Alias',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Permission',
  'AWS::Logs::MetricFilter',
  'AWS::SNS::Subscription',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
];

function untaggedOf({ assembly }: Stacks, stage: string): string[] {
  const untagged = assembly.resources.filter(
    (resource) =>
      !UNTAGGABLE.includes(resource.type) && (tagOf(resource, 'stage') !== stage || !tagOf(resource, 'area')),
  );
  return untagged.map(({ type, logicalId }) => `${type} ${logicalId}`);
}

/** Types of resources have tags in different places, as `{ "Key": "area", "Value": ... }` or as `"area": ...`. */
function tagOf({ properties }: Resource, name: string): string | undefined {
  return new RegExp(`"(?:Key":"${name}","Value|${name})":"([^"]+)"`).exec(JSON.stringify(properties))?.[1];
}

function settingsOf(stacks: Stacks) {
  const [gateway] = stacks.ofType('AWS::ApiGatewayV2::Stage', gatewayStage);
  const levels = stacks.ofType('AWS::Lambda::Function', houseFunction);
  const retentions = stacks.ofType('AWS::Logs::LogGroup', v.object({ RetentionInDays: v.number() }));
  return {
    isProtected: stacks
      .ofType('AWS::DynamoDB::GlobalTable', table)
      .every(({ properties }) => properties.Replicas[0].DeletionProtectionEnabled),
    logLevels: new Set(levels.map(({ properties }) => properties.LoggingConfig.ApplicationLogLevel)),
    retentions: new Set(retentions.map(({ properties }) => properties.RetentionInDays)),
    ratePerSecond: gateway?.properties.DefaultRouteSettings.ThrottlingRateLimit ?? Number.NaN,
    origins: stacks.blueprint.apis[0]?.cors?.AllowOrigins,
  };
}

const propertiesOf = ({ assembly }: Stacks, type: string) =>
  assembly.resources.find((resource) => resource.type === type)?.properties;

/** The ARN of the table. */
function backedUpBy({ assembly, resolver }: Stacks): unknown {
  const selection = v.object({ BackupSelection: v.object({ Resources: v.tuple([v.unknown()]) }) });
  return assembly.resources
    .filter(({ type }) => type === 'AWS::Backup::BackupSelection')
    .map(({ properties, stack }) =>
      resolver.resolve(v.parse(selection, properties).BackupSelection.Resources[0], stack),
    )
    .at(0);
}

it('tags what a stage has by its settings alone', async () => {
  const { firewall, ...others } = ALL_SETTINGS;
  expect(untaggedOf(await sampleStacks({ stage: 'production', ...ALL_SETTINGS }), 'production')).toEqual([]);
  expect(untaggedOf(await sampleStacks({ stage: 'production', ...others }), 'production')).toEqual([]);
});

describe.each(stages)('the stage %s', (stage, stacks) => {
  it('is under names of its own', () => {
    for (const { properties } of stacks.ofType('AWS::Lambda::Function', houseFunction)) {
      expect(properties.FunctionName.startsWith(`${prefixOf(stage)}-`)).toBe(true);
    }
    for (const other of STAGES.filter((name) => name !== stage && name !== 'production')) {
      expect(JSON.stringify(stacks.blueprint)).not.toContain(prefixOf(other));
    }
  });

  it('has the stage and an area as tags on everything that can have tags', () => {
    expect(untaggedOf(stacks, stage)).toEqual([]);
    const areas = stacks.assembly.resources
      .filter(({ type }) => type === 'AWS::Lambda::Function')
      .map((resource) => `${resource.properties.FunctionName} ${tagOf(resource, 'area')}`);
    const expected = functionsOf(stacks.tables).map(({ name, area }) => `${prefixOf(stage)}-${name} ${area}`);
    expect(areas.toSorted()).toEqual(expected.toSorted());
  });

  it('counts what it does apart from the other stages', () => {
    const namespaces = stacks.blueprint.functions.map(({ environment }) => environment.POWERTOOLS_METRICS_NAMESPACE);
    expect(new Set(namespaces)).toEqual(new Set([prefixOf(stage)]));
  });

  it('has a limit, logs that expire, and a level at which metrics are not dropped', () => {
    const { logLevels, retentions, ratePerSecond } = settingsOf(stacks);
    expect(ratePerSecond).toBeGreaterThan(0);
    expect(retentions.size).toBe(1);
    for (const level of logLevels) expect(['DEBUG', 'INFO']).toContain(level);
  });
});

describe('stages', () => {
  const [dev, staging, production] = stages.map(([, stacks]) => settingsOf(stacks));

  it('protect their data against deletion, but for the one that is to leave nothing behind', () => {
    expect([dev, staging, production].map((stage) => stage?.isProtected)).toEqual([false, true, true]);
  });

  it('reserve concurrency for what is slow, but for the one whose account may be new', () => {
    const reserved = stages.map(([, { blueprint }]) =>
      blueprint.functions.flatMap(({ reservedConcurrency }) => reservedConcurrency ?? []),
    );
    expect(reserved).toEqual([[], [3], [3]]);
  });

  it('work on a table that was restored, once its name is in their settings', async () => {
    const { blueprint, ofType } = await sampleStacks({ stage: 'production', restoredTable: 'billwright-restored' });
    expect(ofType('AWS::DynamoDB::GlobalTable', v.unknown())).toEqual([]);
    const tables = blueprint.functions.flatMap(({ environment }) => environment.TABLE_NAME ?? []);
    expect(new Set(tables)).toEqual(new Set(['billwright-restored']));
    const resources = blueprint.functions.flatMap(({ statements }) => statements.flatMap(({ Resource }) => Resource));
    const granted = new Set(resources.filter((arn) => arn.includes(':dynamodb:')).map((arn) => arn.split(':').at(-1)));
    expect(granted).toEqual(new Set(['table/billwright-restored', 'table/billwright-restored/index/byDue']));
  });

  it('warm the table up for a rush where their settings say so, and pay for none otherwise', async () => {
    const warmed = v.object({ WarmThroughput: v.optional(v.unknown()) });
    const warmthOf = (stacks: Stacks) =>
      stacks.ofType('AWS::DynamoDB::GlobalTable', warmed).map(({ properties }) => properties.WarmThroughput);
    const warmThroughput = { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 40_000 };
    expect(warmthOf(await sampleStacks({ stage: 'production', warmThroughput }))).toEqual([
      { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 40_000 },
    ]);
    for (const [, stacks] of stages) expect(warmthOf(stacks)).toEqual([undefined]);
  });

  it('keep every function warm that people wait for where their settings say so, and none otherwise', async () => {
    const rulesOf = ({ blueprint }: Stacks) =>
      blueprint.schedules.filter(({ input }) => input !== undefined && JSON.parse(input) === 'warm-up');
    const warm = await sampleStacks({ keepsFunctionsWarm: true });
    // A plan is refused where the function does not permit the rule.
    expect(
      rulesOf(warm)
        .map(({ functionName, expression }) => [functionName, expression])
        .toSorted(),
    ).toEqual([
      ['billwright-create-thing', 'rate(5 minutes)'],
      ['billwright-get-thing', 'rate(5 minutes)'],
    ]);
    for (const [, stacks] of stages) expect(rulesOf(stacks)).toEqual([]);
  });

  it('mail when a month costs more than their budget, or is going to, where there is an address', async () => {
    const Address = 'oncall@example.com';
    const budgetOf = async (context: Readonly<Record<string, unknown>>) =>
      propertiesOf(await sampleStacks(context), 'AWS::Budgets::Budget');
    const mail = (NotificationType: string) => ({ Notification: { NotificationType }, Subscribers: [{ Address }] });
    const budget = (Amount: number) => ({
      Budget: { BudgetLimit: { Amount } },
      NotificationsWithSubscribers: [mail('ACTUAL'), mail('FORECASTED')],
    });
    expect(await budgetOf({ stage: 'staging', alarmEmail: Address })).toMatchObject(budget(50));
    expect(await budgetOf({ alarmEmail: Address, monthlyBudgetDollars: '75' })).toMatchObject(budget(75));
    expect(await budgetOf({})).toBeUndefined();
  });

  it('copy their table to a vault elsewhere each month where their settings say so, and say when that fails', async () => {
    const { backups } = ALL_SETTINGS;
    const stacks = await sampleStacks({ stage: 'staging', backups });
    const Lifecycle = { DeleteAfterDays: backups.keptDays, MoveToColdStorageAfterDays: backups.coldAfterDays };
    const plan = { CopyActions: [{ DestinationBackupVaultArn: backups.copyTo, Lifecycle }] };
    expect(propertiesOf(stacks, 'AWS::Backup::BackupPlan')).toMatchObject({ BackupPlan: { BackupPlanRule: [plan] } });
    expect(backedUpBy(stacks)).toMatch(/:table\/billwright-staging-data-Table\w+$/);
    const rules = stacks.assembly.resources.filter(({ type }) => type === 'AWS::Events::Rule');
    const [topic] = stacks.assembly.resources.filter(({ type }) => type === 'AWS::SNS::Topic');
    const Targets = [expect.objectContaining({ Arn: { Ref: topic?.logicalId } })];
    expect(rules.map(({ properties }) => properties)).toContainEqual(expect.objectContaining({ Targets }));
  });

  it('copy the table that is in use, and none by themselves', async () => {
    const { backups } = ALL_SETTINGS;
    expect(backedUpBy(await sampleStacks({ backups, restoredTable: 'billwright-restored' }))).toMatch(
      /:table\/billwright-restored$/,
    );
    for (const [, { assembly }] of stages) {
      expect(assembly.resources.filter(({ type }) => type.startsWith('AWS::Backup::'))).toEqual([]);
    }
  });

  it('let the pages of those origins call that their settings name, and of production no others', async () => {
    const allowedOrigins = ['https://app.example.com', 'https://admin.example.com'];
    expect(settingsOf(await sampleStacks({ stage: 'production', allowedOrigins })).origins).toEqual(allowedOrigins);
    expect(production?.origins).toEqual(['https://none.invalid']);
  });
});

const certificateArn = 'arn:aws:acm:us-east-1:111111111111:certificate/1';
const restoredKey = 'arn:aws:kms:us-east-1:111111111111:key/1';

const webAclArn = 'arn:aws:wafv2:us-east-1:111111111111:global/webacl/billwright/1';

const { copyTo } = ALL_SETTINGS.backups;

const configOf = (context: Readonly<Record<string, unknown>>) => readConfig((name) => context[name]);

describe('the functions that a stage runs at once', () => {
  it.each(STAGES)(
    'are as many workers as an organization has webhooks, so that none waits for those that hang: %s',
    (stage) => {
      const webhooks = tables.queues.filter(({ name }) => name === 'webhooks');
      const workers = webhooks.map((queue) => workersOf(configOf({ stage }), queue));
      expect(workers.map((count) => count >= MAX_WEBHOOKS)).toEqual([true]);
    },
  );
});

describe('settings that cannot work', () => {
  it.each([
    ['stage', { stage: 'beta' }],
    ['domain.certificateArn', { domain: { name: 'api.example.com', certificateArn: 'arn:aws:iam::1:role/a' } }],
    ['domain.name', { domain: { name: 'https://api.example.com', certificateArn } }],
    ['requestsPerSecond', { requestsPerSecond: '10001' }],
    ['allowedOrigins.0', { allowedOrigins: ['https://app.example.com/page'] }],
    ['allowedOrigins.0', { allowedOrigins: ['https://*.example.com'] }],
    ['remoteApiUrl', { remoteApiUrl: 'http://api.example.com' }],
    ['remoteApiUrl', { remoteApiUrl: 'https://api.example.com/' }],
    ['remoteApiUrl', { remoteApiUrl: 'https://api.example.com?key=1' }],
    ['signIn.issuer', { signIn: { issuer: 'https://login.example.com#realm', audience: 'billwright' } }],
    ['signIn.audience', { signIn: { issuer: 'https://login.example.com' } }],
    ['domain.name', { domain: { name: 'my_api.example.com', certificateArn } }],
    ['firewall.isEnforcd', { firewall: { webAclArn, isEnforcd: true } }],
    ['restoredTable', { restoredTable: 'a b' }],
    ['backups.copyTo', { backups: { copyTo: copyTo.replace('eu-west-1', 'mars-north-1'), keptDays: 365 } }],
    ['backups.copyTo', { backups: { copyTo: copyTo.replace('backup-vault', 'recovery-point'), keptDays: 365 } }],
    ['backups.keptDays', { backups: { copyTo, keptDays: 34 } }],
    ['backups.coldAfterDays', { backups: { copyTo, keptDays: 365, coldAfterDays: 276 } }],
    ['firewall.secrets', { firewall: { webAclArn, secrets: ['one', 'one'] } }],
    ['firewall.certificateArn', { firewall: { webAclArn, certificateArn: certificateArn.replace('us-', 'eu-') } }],
    ['firewall.webAclArn', { firewall: { webAclArn: webAclArn.replace('us-east-1', 'eu-west-1') } }],
    ['restoredKey', { restoredKey: 'alias/billwright-secrets' }],
    ['warmThroughput.readUnitsPerSecond', { warmThroughput: { readUnitsPerSecond: 1, writeUnitsPerSecond: 4_000 } }],
  ])('are refused in one line that names them: %s', (setting, context) => {
    const line = new RegExp(`^The settings of the stage are wrong\\. ${setting}: [^;\\n]+$`);
    expect(() => configOf(context)).toThrow(line);
  });

  it('are refused where no setting has their name, which may be misspelt', () => {
    const names = [
      '@aws-cdk/core:explicitStackTags',
      'availability-zones:account=1:region=eu-west-1',
      'stage',
      'domain',
    ];
    expect(() => assertSettings(names)).not.toThrow();
    expect(() => assertSettings([...names, 'alarmMail'])).toThrow(
      'The settings of the stage are wrong. alarmMail: There is no such setting.',
    );
  });

  it.each([
    ['workers.nope', { workers: { nope: 5 } }],
    ['accountConcurrency', { workers: { 'thing-events': 31 }, accountConcurrency: 87 }],
    ['accountConcurrency', { stage: 'staging', accountConcurrency: 18 }],
    ['firewall.certificateArn', { firewall: { webAclArn }, domain: { name: 'api.example.com', certificateArn } }],
  ])('are refused of these functions and queues, in one line that names them: %s', (setting, context) => {
    const line = new RegExp(`^The settings of the stage are wrong\\. ${setting}: [^;\\n]+$`);
    expect(() => assertSuitable(configOf(context), sampleTables)).toThrow(line);
  });

  it.each([
    // 3 of `getThing`, those of the queue, 2 of its dead letters, 2 of the other queue, and 50 or 10 for requests.
    { workers: { 'thing-events': 31 }, accountConcurrency: 88 },
    { stage: 'staging', accountConcurrency: 19 },
    { firewall: { webAclArn } },
    { backups: { copyTo, keptDays: 35 } },
    { backups: { copyTo, keptDays: 36_500, coldAfterDays: 36_410 } },
  ])('are none of these, which are at the limit: %j', (context) => {
    expect(() => assertSuitable(configOf(context), sampleTables)).not.toThrow();
  });

  it.each([
    ['domain.certificateArn', { domain: { name: 'api.example.com', certificateArn } }],
    ['restoredKey', { restoredKey }],
  ])('are refused where they are in another region: %s', (setting, context) => {
    expect(() => assertRegion(configOf(context), 'us-east-1')).not.toThrow();
    const line = `${setting}: is in us-east-1, and the stage is deployed to eu-west-1.`;
    expect(() => assertRegion(configOf(context), 'eu-west-1')).toThrow(line);
  });

  it.each([
    ['domain.certificateArn', { domain: { name: 'api.example.com', certificateArn } }],
    ['firewall.webAclArn', { firewall: { webAclArn } }],
    ['firewall.certificateArn', { firewall: { webAclArn: webAclArn.replaceAll('1111', '2222'), certificateArn } }],
  ])('are refused where they are of another account: %s', (setting, context) => {
    const line = `${setting}: is of account 111111111111, and the stage is deployed to 222222222222.`;
    expect(() => assertAccount(configOf(context), 'us-east-1', '222222222222')).toThrow(line);
  });

  it('are none of these, which are of the account', () => {
    const context = { domain: { name: 'api.example.com', certificateArn }, firewall: { webAclArn, certificateArn } };
    expect(() => assertAccount(configOf(context), 'us-east-1', '111111111111')).not.toThrow();
  });

  it('are refused where copies of backups stay in the account and the region', () => {
    const config = configOf({ backups: { copyTo, keptDays: 365 } });
    expect(() => assertAccount(config, 'eu-west-1', '222222222222')).toThrow(/^backups\.copyTo: [^\n]+$/);
    expect(() => assertAccount(config, 'eu-central-1', '222222222222')).not.toThrow();
    expect(() => assertAccount(config, 'eu-west-1', '111111111111')).not.toThrow();
    expect(() => assertAccount(configOf({}), 'eu-west-1', '222222222222')).not.toThrow();
  });

  it.each([
    [{ memoryMegabytes: 127 }, 'get-thing.memoryMegabytes: Invalid value: Expected >=128 but received 127'],
    [{ timeoutSeconds: 30 }, 'get-thing.timeoutSeconds: Invalid value: Expected <=29 but received 30'],
  ])('are refused of a function: %j', (member, complaint) => {
    const routes = sampleTables.routes.map((route) =>
      route.operationId === 'getThing' ? { ...route, ...member } : route,
    );
    expect(() => assertWithinLimits(sampleTables)).not.toThrow();
    expect(() => assertWithinLimits({ ...sampleTables, routes })).toThrow(`The functions are wrong. ${complaint}`);
  });

  it('are refused where a role is described of a function that there is not', () => {
    const access = { ...sampleTables.access, 'take-things': {} };
    expect(() => assertWithinLimits({ ...sampleTables, access })).toThrow('take-things: there is no such function');
  });
});
