import { describe, expect, it } from 'vitest';
import type { Calls } from '#infra/calls.ts';
import type { Tables } from '#infra/functions.ts';
import { collisions, lostExports, newStores, UNIQUE_PROPERTIES } from '#scripts/collisions.ts';
import { type Assembly, assemblyOf, loadAssembly, parseTemplate } from '#scripts/local/template.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { ALL_SETTINGS, defineSample, inTemporaryFolder, sampleCalls, sampleStacks, sampleTables } from './sample.ts';
import { realStacks } from './stacks.ts';

const [createThing, getThing] = sampleTables.routes;
const [queue] = sampleTables.queues;
const [tick] = sampleTables.schedules;
if (!createThing || !getThing || !queue || !tick) throw new Error('The sample has one of everything.');

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

function releaseOf(changed: Partial<Tables>, changedCalls: Calls = {}): Promise<Assembly> {
  return inTemporaryFolder(async (folder) => {
    // Only names matter here, and to validate the templates takes most of a second.
    const props = { builtinCloudFormationValidation: false };
    const app = await defineSample(folder, {}, { ...calls, ...changedCalls }, { ...sampleTables, ...changed }, props);
    return loadAssembly(app.synth().directory);
  });
}

const released = (await sampleStacks()).assembly;

const renamedQueue: Tables = {
  routes: [{ ...createThing, access: { ...createThing.access, sends: ['thing-news'] } }, getThing],
  queues: [{ ...queue, name: 'thing-news' }],
  schedules: [{ ...tick, access: { ...tick.access, sends: ['thing-news'] } }],
};

describe('a release takes no name that the one before still has, and neither does its rollback', () => {
  it.each<[string, Partial<Tables>]>([
    ['nothing has changed', {}],
    ['an endpoint is added in front', { routes: [patchLatest, createThing, getThing] }],
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
    ['an endpoint is removed', { routes: [createThing] }],
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
      { routes: [createThing, getThing, closeThing], queues: [alone] },
      { 'close-thing': sampleCalls['get-thing'] ?? [] },
    );
    const lines = collisions(released, next);
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toMatch(
        /^billwright-api-functions\w+\/closething\w+ cannot become AWS::(Lambda::Function|Logs::LogGroup) \S*billwright-close-thing while billwright-queue\/closething\w+ is: deploy without both, and then what is new\.$/,
      );
    }
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

/** CloudFormation names these, or they are a part of another resource. */
const NAMELESS = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Integration',
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
