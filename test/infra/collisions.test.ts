import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { AccessTable } from '#infra/access.ts';
import { defineBillwright } from '#infra/billwright.ts';
import type { Calls } from '#infra/calls.ts';
import { type Tables, tables } from '#infra/functions.ts';
import {
  changedTypes,
  collisions,
  firewallGaps,
  lostAddresses,
  lostExports,
  lostQueues,
  newStores,
  oversizedTemplates,
  refusedTableChanges,
  replacedStores,
  UNIQUE_PROPERTIES,
} from '#scripts/collisions.ts';
import { type Assembly, assemblyOf, loadAssembly, parseTemplate } from '#scripts/local/template.ts';
import { contextOf, ensureSynthesized } from '#scripts/synth.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { ALL_SETTINGS, defineSample, inTemporaryFolder, sampleCalls, sampleStacks, sampleTables } from './sample.ts';
import { realStacks } from './stacks.ts';

const [createThing, getThing] = sampleTables.routes;
const [queue, webhooks] = sampleTables.queues;
const [tick] = sampleTables.schedules;
if (!createThing || !getThing || !queue || !webhooks || !tick) throw new Error('The sample has one of everything.');

/** It hides `/things/{id}`, whose methods get routes of their own. */
const patchLatest = defineEndpoint({
  ...getThing,
  operationId: 'patchLatest',
  method: 'PATCH',
  path: '/things/latest',
});

const calls = {
  ...sampleCalls,
  'patch-latest': sampleCalls['get-thing'] ?? [],
  'make-thing': sampleCalls['create-thing'] ?? [],
  'late-tick': sampleCalls.tick ?? [],
};

const access: AccessTable = {
  ...sampleTables.access,
  'patch-latest': sampleTables.access['get-thing'] ?? {},
  'make-thing': sampleTables.access['create-thing'] ?? {},
  'late-tick': sampleTables.access.tick ?? {},
};

function releaseOf(changed: Partial<Tables>, changedCalls: Calls = {}): Promise<Assembly> {
  return inTemporaryFolder(async (folder) => {
    const app = await defineSample(folder, {}, { ...calls, ...changedCalls }, { ...sampleTables, access, ...changed });
    return loadAssembly(app.synth().directory);
  });
}

const released = (await sampleStacks()).assembly;

const renamedQueue: Tables = {
  ...sampleTables,
  queues: [{ ...queue, name: 'thing-news' }, webhooks],
  access: {
    ...access,
    'create-thing': { ...access['create-thing'], sends: ['thing-news'] },
    tick: { ...access.tick, sends: ['thing-news'] },
  },
};

describe('a release takes no name that the one before still has, and neither does its rollback', () => {
  it.each<[string, Partial<Tables>]>([
    ['an endpoint is added in front, or removed', { routes: [patchLatest, createThing, getThing] }],
    ['an endpoint is renamed', { routes: [{ ...createThing, operationId: 'makeThing' }, getThing] }],
    ['an endpoint moves to another area', { routes: [{ ...createThing, area: 'tracker' }, getThing] }],
    ['the path of an endpoint changes', { routes: [{ ...createThing, path: '/pieces' }, getThing] }],
    ['a parameter of a path is renamed', { routes: [createThing, { ...getThing, path: '/things/{thingId}' }] }],
    [
      'two endpoints swap their routes',
      {
        routes: [
          { ...createThing, method: getThing.method, path: getThing.path },
          { ...getThing, method: createThing.method, path: createThing.path },
        ],
      },
    ],
    ['a queue is renamed, but not its workers', renamedQueue],
    ['a schedule is renamed', { schedules: [{ ...tick, name: 'late-tick' }] }],
  ])('if %s', async (_, changed) => {
    const next = await releaseOf(changed);
    expect(collisions(released, next)).toEqual([]);
    expect(collisions(next, released)).toEqual([]);
  });
});

const stackOf = (name: string, Resources: object, Outputs: object = {}) => ({
  name,
  template: parseTemplate({ Resources, Outputs }),
});

const route = (RouteKey: string) => ({ Type: 'AWS::ApiGatewayV2::Route', Properties: { ApiId: 'api', RouteKey } });

describe('a release is refused', () => {
  it('if a function changes stacks, name by name, with what to do', async () => {
    const { deadLetterWorker: _, ...alone } = queue;
    const closeThing = { ...getThing, operationId: 'closeThing', path: '/closings' };
    const next = await releaseOf(
      {
        routes: [createThing, getThing, closeThing],
        queues: [alone, webhooks],
        access: { ...access, 'close-thing': {} },
      },
      { 'close-thing': sampleCalls['get-thing'] ?? [] },
    );
    const line =
      /^billwright-api-functions\w+\/closething\w+ cannot become AWS::(Lambda::Function|Logs::LogGroup) \S*billwright-close-thing while billwright-queue\/closething\w+ is: deploy without both, and then what is new\.$/;
    expect(collisions(released, next)).toEqual([expect.stringMatching(line), expect.stringMatching(line)]);
  });

  it('if its routes are named by position', () => {
    const before = assemblyOf([stackOf('api', { Route: route('GET /a'), Route1: route('GET /b/{id}') })]);
    const shifted = { Route: route('GET /new'), Route1: route('GET /a'), Route2: route('GET /b/{key}') };
    expect(collisions(before, assemblyOf([stackOf('api', shifted)]))).toEqual([
      'api/Route1 cannot become AWS::ApiGatewayV2::Route api GET /a while api/Route is: deploy without both, and then what is new.',
      'api/Route2 cannot become AWS::ApiGatewayV2::Route api GET /b/{} while api/Route1 is: deploy without both, and then what is new.',
    ]);
  });

  it('if an export changes stacks, or two things would have one name', () => {
    const output = { Out: { Value: 'v', Export: { Name: 'shared' } } };
    const before = assemblyOf([stackOf('one', {}, output), stackOf('two', {})]);
    const moved = assemblyOf([stackOf('one', {}), stackOf('two', {}, output)]);
    expect(collisions(before, moved)).toEqual([
      'two/Out cannot become export shared while one/Out is: deploy without both, and then what is new.',
    ]);
    const twice = assemblyOf([stackOf('one', { A: route('GET /a'), B: route('GET /a') })]);
    expect(collisions(assemblyOf([]), twice)).toEqual([
      'one/B and one/A would both be AWS::ApiGatewayV2::Route api GET /a.',
    ]);
  });
});

describe('a table or a key', () => {
  const data = (Resources: object) => assemblyOf([stackOf('data', Resources)]);
  const table = { Table: { Type: 'AWS::DynamoDB::GlobalTable' } };

  it('is made by a first deployment, and left alone by the next', () => {
    expect(newStores(assemblyOf([]), data(table))).toEqual([]);
    expect(newStores(data(table), data(table))).toEqual([]);
  });

  it('is not made anew in a stack that has let go of it', () => {
    expect(newStores(data({}), data(table))).toEqual([
      'data/Table would be new and empty: import the restored one first (infra/RUNBOOK.md, "Restore").',
    ]);
  });
});

describe('a resource', () => {
  const made = (name: string, Type: string) => assemblyOf([stackOf('api', { [name]: { Type } })]);

  it('cannot become something else under its name', () => {
    const rule = made('Tick', 'AWS::Events::Rule');
    expect(changedTypes(rule, made('Tick', 'AWS::Scheduler::Schedule'))).toEqual([
      'api/Tick cannot become AWS::Scheduler::Schedule, since it is AWS::Events::Rule: give what is new another name in its stack.',
    ]);
    expect(changedTypes(rule, made('Tock', 'AWS::Scheduler::Schedule'))).toEqual([]);
    expect(changedTypes(released, released)).toEqual([]);
  });

  it.each(['AWS::ApiGatewayV2::Api', 'AWS::CloudFront::Distribution'])(
    'with an address is not replaced by another one, which has another address: %s',
    (type) => {
      expect(lostAddresses(made('Old', type), made('New', type))).toEqual([
        'api/Old would go with its address, and another one be made: leave its name in the stack as it is.',
      ]);
      expect(lostAddresses(made('Old', type), made('Old', type))).toEqual([]);
      expect(lostAddresses(made('Old', type), assemblyOf([]))).toEqual([]);
    },
  );
});

describe('an export', async () => {
  const restored = (await sampleStacks({ restoredTable: 'billwright-restored' })).assembly;
  const isData = ({ name }: { name: string }) => name === 'billwright-data';

  it('may not go while a deployed stack imports it, and the line says what to do first', () => {
    const lines = lostExports(released, restored);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).toMatch(
        /^billwright-data\/ExportsOutput\w+ cannot go while billwright-\w+ imports it: deploy those that import it first \(infra\/RUNBOOK\.md, "Restore"\)\.$/,
      );
    }
  });

  it('may go once the others are deployed, and may stay or come at any time', () => {
    const halfway = [...released.stacks.filter(isData), ...restored.stacks.filter((stack) => !isData(stack))];
    expect(lostExports(assemblyOf(halfway), restored)).toEqual([]);
    expect(lostExports(restored, released)).toEqual([]);
    expect(lostExports(released, released)).toEqual([]);
  });
});

type Values = Record<string, unknown>;

/** The deployed service with other properties of one resource of the type. */
async function withChanged(type: string, change: (properties: Values) => Values): Promise<[Assembly, Assembly]> {
  const { assembly } = await realStacks();
  const target = assembly.resources.find((resource) => resource.type === type);
  const stacks = assembly.stacks.map((stack) => {
    if (!target || stack !== target.stack) return stack;
    const template = structuredClone(stack.template);
    const resource = template.Resources[target.logicalId];
    if (resource) Object.assign(resource.Properties, change(resource.Properties));
    return { ...stack, template };
  });
  return [assembly, assemblyOf(stacks)];
}

describe('a change of the table that DynamoDB refuses, or that would lose data, is found before it is sent', () => {
  const changed = (change: (properties: Values) => Values) => withChanged('AWS::DynamoDB::GlobalTable', change);
  const indexesOf = ({ GlobalSecondaryIndexes: indexes }: Values) => v.parse(v.array(v.looseObject({})), indexes);
  const named = (properties: Values, IndexName: string) => ({ ...indexesOf(properties)[0], IndexName });

  it.each<[string, RegExp, (properties: Values) => Values]>([
    [
      'two new indexes at once',
      /^billwright-data\/Table\w+ takes one index more or less at a time: deploy new1 and new2 one after the other\.$/,
      (properties) => ({
        GlobalSecondaryIndexes: [...indexesOf(properties), named(properties, 'new1'), named(properties, 'new2')],
      }),
    ],
    [
      'an index that takes the place of another',
      /takes one index more or less at a time: deploy \w+ and new1 one after the other\.$/,
      (properties) => ({ GlobalSecondaryIndexes: [...indexesOf(properties).slice(1), named(properties, 'new1')] }),
    ],
    [
      'another projection',
      /cannot change its index (\w+): add one of another name, then remove \1 when nothing reads it\.$/,
      (properties) => {
        const [first, ...others] = indexesOf(properties);
        return { GlobalSecondaryIndexes: [{ ...first, Projection: { ProjectionType: 'KEYS_ONLY' } }, ...others] };
      },
    ],
    [
      'another attribute for the time to live',
      /cannot change the attribute of its time to live at once: .* with other\.$/,
      () => ({ TimeToLiveSpecification: { Enabled: true, AttributeName: 'other' } }),
    ],
    [
      'another type of the partition key',
      /cannot change the type of pk: put the other values into another one\.$/,
      () => ({ AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'N' }] }),
    ],
    [
      'another name of the partition key',
      /would be replaced by a new and empty one, since KeySchema changes: leave it as it is\.$/,
      () => ({ KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] }),
    ],
    [
      'a name of its own',
      /would be replaced by a new and empty one, since TableName changes: /,
      () => ({ TableName: 'billwright' }),
    ],
  ])('%s', async (_, line, change) => {
    const releases = await changed(change);
    expect([...refusedTableChanges(...releases), ...replacedStores(...releases)]).toEqual([
      expect.stringMatching(line),
    ]);
  });

  it('while one index more, one less, and a time to live that comes or goes pass', async () => {
    const [before, more] = await changed((properties) => ({
      GlobalSecondaryIndexes: [...indexesOf(properties), named(properties, 'new1')],
      TimeToLiveSpecification: { Enabled: false },
    }));
    expect([refusedTableChanges(before, more), refusedTableChanges(more, before)]).toEqual([[], []]);
    expect([replacedStores(before, more), refusedTableChanges(before, before)]).toEqual([[], []]);
  });

  it('and so is a key of another kind', async () => {
    const releases = await withChanged('AWS::KMS::Key', () => ({ MultiRegion: true }));
    expect(replacedStores(...releases)).toEqual([expect.stringMatching(/since MultiRegion changes/)]);
  });
});

describe('a queue', () => {
  it('does not go with its messages, whether it is renamed or removed, until somebody says that it is empty', async () => {
    const [before, renamed] = await withChanged('AWS::SQS::Queue', () => ({
      QueueName: 'billwright-rows.fifo',
    }));
    const lines = lostQueues(before, renamed);
    const name = /when nothing sends to (\S+) and it is empty, deploy with --drained \1\.$/.exec(lines[0] ?? '')?.[1];
    expect([lines.length, name]).toEqual([1, expect.stringMatching(/^billwright-[\w-]+\.fifo$/)]);
    expect(lostQueues(before, renamed, [name ?? ''])).toEqual([]);
    const removed = await releaseOf({ queues: [webhooks], routes: [getThing], schedules: [] });
    expect(lostQueues(released, removed).length).toBeGreaterThan(1);
    expect([lostQueues(removed, released), lostQueues(before, before)]).toEqual([[], []]);
  });
});

describe('a firewall', () => {
  const { webAclArn } = ALL_SETTINGS.firewall;
  const releaseWith = async (firewall?: object) =>
    (await sampleStacks(firewall && { firewall: { webAclArn, ...firewall } })).assembly;
  const step = async (from: object | undefined, to: object | undefined) =>
    firewallGaps(await releaseWith(from), await releaseWith(to)).length;

  it('is made, enforced, given another secret and taken away step by step', async () => {
    const enforced = (...secrets: string[]) => ({ isEnforced: true, secrets });
    const made = { secrets: ['a'] };
    const steps = [
      undefined,
      made,
      enforced('a'),
      enforced('a', 'b'),
      enforced('b', 'a'),
      enforced('b'),
      { secrets: ['b'] },
      undefined,
    ];
    for (const [position, next] of steps.entries()) {
      if (position > 0) expect(await step(steps[position - 1], next), `step ${position}`).toBe(0);
    }
    expect(await step(undefined, enforced('a'))).toBe(1);
    expect(await step(enforced('a'), enforced('b'))).toBe(1);
    expect(await step(enforced('a'), enforced('b', 'a'))).toBe(1);
    expect(await step(enforced('a'), undefined)).toBe(1);
    expect(firewallGaps(assemblyOf([]), await releaseWith(enforced('a')))).toEqual([]);
  });
});

describe('templates', () => {
  it('have room to grow: below 70 % of what CloudFormation takes, with every setting on', async () => {
    await ensureSynthesized();
    await inTemporaryFolder(async (folder) => {
      const assets = { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:disable-asset-staging': true };
      const context = { ...(await contextOf()), ...ALL_SETTINGS, ...assets };
      const app = new App({ outdir: folder, context, builtinCloudFormationValidation: false });
      defineBillwright(app, { ...tables, bundles: join(import.meta.dirname, '../../dist/functions') });
      const complete = loadAssembly(app.synth().directory);
      expect(complete.stacks.length).toBeGreaterThan(5);
      expect(oversizedTemplates(released, complete, 0.7)).toEqual([]);
    });
  });

  it('are refused above it, with what to divide', () => {
    const resources = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`A${n}`, route(`GET /${n}`)]));
    const nothing = assemblyOf([]);
    expect(oversizedTemplates(nothing, assemblyOf([stackOf('api', resources(500))]))).toEqual([]);
    expect(oversizedTemplates(nothing, assemblyOf([stackOf('api', resources(501))]))).toEqual([
      'api has 501 resources of 500: divide it (infra/stacks/).',
    ]);
    expect(oversizedTemplates(nothing, assemblyOf([{ ...stackOf('api', {}), bytes: 1_000_001 }]))).toEqual([
      'api has 1000001 bytes of 1000000: divide it (infra/stacks/).',
    ]);
  });
});

/** CloudFormation names these, or they are a part of another resource. */
const NAMELESS = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Integration',
  'AWS::Backup::BackupPlan',
  'AWS::Backup::BackupSelection',
  'AWS::Budgets::Budget',
  'AWS::CloudFormation::Stack',
  'AWS::CloudFront::Distribution',
  'AWS::KMS::Key',
  'AWS::Lambda::Permission',
  'AWS::Logs::MetricFilter',
  'AWS::SNS::Subscription',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::SecretsManager::Secret',
];

describe('the model', () => {
  it('knows every type of resource that there is', async () => {
    const { firewall, ...others } = ALL_SETTINGS;
    const withoutFirewall = await sampleStacks(others);
    const complete = await sampleStacks(ALL_SETTINGS);
    const assemblies = [(await realStacks()).assembly, withoutFirewall.assembly, complete.assembly];
    const types = new Set(assemblies.flatMap(({ resources }) => resources.map(({ type }) => type)));
    const known = [...Object.keys(UNIQUE_PROPERTIES), ...NAMELESS];
    expect([...types].filter((type) => !known.includes(type))).toEqual([]);
  });
});
