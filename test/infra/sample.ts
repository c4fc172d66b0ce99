import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import { defineBillwright } from '#infra/billwright.ts';
import { CALLS_FILE, type Calls } from '#infra/calls.ts';
import { functionsOf, type Tables } from '#infra/functions.ts';
import { checkRules } from '#infra/rules.ts';
import { contextOf } from '#scripts/synth.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { readStacks, realStacks, type Stacks } from './stacks.ts';

/** A small service that has one of everything, made by the same constructs. */
export const sampleTables: Tables = {
  routes: [
    defineEndpoint({
      operationId: 'createThing',
      method: 'POST',
      path: '/things',
      area: 'remote',
      summary: 'Create a thing',
      scope: 'tracker:remote',
      response: { kind: 'deletion' },
      example: {},
    }),
    defineEndpoint({
      operationId: 'getThing',
      method: 'GET',
      path: '/things/{id}',
      area: 'tracker',
      summary: 'Get a thing',
      scope: 'tracker:read',
      response: { kind: 'deletion' },
      memoryMegabytes: 2_048,
      timeoutSeconds: 29,
      ownConcurrency: 3,
      example: {},
    }),
  ],
  queues: [
    {
      name: 'thing-events',
      area: 'tracker',
      worker: 'take-thing',
      maximumConcurrency: 2,
      batchSize: 10,
      timeoutSeconds: 100,
      deadLetterWorker: 'close-thing',
    },
    {
      name: 'webhooks',
      area: 'tracker',
      worker: 'deliver-thing',
      maximumConcurrency: 2,
      batchSize: 1,
      timeoutSeconds: 60,
    },
  ],
  schedules: [{ name: 'tick', area: 'tracker', everyMinutes: 5, timeoutSeconds: 60 }],
  access: {
    'create-thing': { writes: ['product', 'entry'], takesUrls: true, sends: ['thing-events'] },
    'get-thing': { indexes: ['byDue'] },
    'take-thing': { writes: ['timer'] },
    'close-thing': { writes: ['timer'] },
    tick: { indexes: ['byDue'], sends: ['thing-events'] },
  },
};

/** What the build would find in the code of the functions. */
export const sampleCalls: Calls = {
  'create-thing': ['Encrypt', 'Get', 'Put', 'SendMessage', 'TransactWrite'],
  'get-thing': ['Get', 'Query'],
  'unmatched-route': [],
  'take-thing': ['Decrypt', 'Update'],
  'close-thing': ['BatchGet', 'Delete', 'Put'],
  'deliver-thing': [],
  tick: ['Query', 'SendMessageBatch', 'SendMessage'],
};

/** As the command line of CDK has them in templates. */
const ASSET_PATHS = { 'aws:cdk:enable-asset-metadata': true };

/** To validate the templates takes most of a second, and seconds at first: `rules.test.ts` alone does. */
const UNVALIDATED: AppProps = { builtinCloudFormationValidation: false };

/** Defines the sample in an app that is synthesized into the folder; its functions do nothing. */
export async function defineSample(
  folder: string,
  context: Readonly<Record<string, unknown>> = {},
  calls: Calls = sampleCalls,
  tables: Tables = sampleTables,
  props = UNVALIDATED,
): Promise<App> {
  const bundles = join(folder, 'bundles');
  for (const { area, name } of functionsOf(tables)) {
    await mkdir(join(bundles, area, name), { recursive: true });
    await writeFile(join(bundles, area, name, 'index.js'), `exports.handler = async () => '${name}';`);
  }
  await writeFile(join(bundles, CALLS_FILE), JSON.stringify(calls));
  const app = new App({
    outdir: join(folder, 'cdk.out'),
    context: { ...(await contextOf()), ...ASSET_PATHS, ...context },
    ...props,
  });
  defineBillwright(app, { ...tables, bundles });
  checkRules(app);
  return app;
}

/** By their context. To synthesize them takes seconds, and nobody changes them. */
const synthesized = new Map<string, Promise<Stacks>>();

/** All that makes resources which a stage has by its settings alone. */
export const ALL_SETTINGS = {
  alarmEmail: 'oncall@example.com',
  domain: {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:111111111111:certificate/11111111-1111-1111-1111-111111111111',
  },
  firewall: {
    webAclArn: 'arn:aws:wafv2:us-east-1:111111111111:global/webacl/strangers/11111111',
    certificateArn: 'arn:aws:acm:us-east-1:111111111111:certificate/22222222-2222-2222-2222-222222222222',
    isEnforced: true,
    secrets: ['first', 'second'],
  },
  keepsFunctionsWarm: true,
  backups: {
    copyTo: 'arn:aws:backup:eu-west-1:222222222222:backup-vault:billwright-copies',
    keptDays: 3_653,
    coldAfterDays: 35,
  },
};

export function sampleStacks(context: Readonly<Record<string, unknown>> = {}): Promise<Stacks> {
  const key = JSON.stringify(context);
  const stacks = synthesized.get(key) ?? synthesizeSample(context);
  synthesized.set(key, stacks);
  return stacks;
}

/** Each under its name. */
export async function bothServices(): Promise<[string, Stacks][]> {
  return [
    ['the service', await realStacks()],
    ['a service with one of everything', await sampleStacks()],
  ];
}

export function synthesizeSample(context: Readonly<Record<string, unknown>>, props?: AppProps): Promise<Stacks> {
  return inTemporaryFolder(async (folder) => {
    const app = await defineSample(folder, context, sampleCalls, sampleTables, props);
    return readStacks(app.synth().directory, sampleTables, sampleCalls);
  });
}

export async function inTemporaryFolder<Result>(run: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'billwright-stacks-'));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
