import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serve } from './worker.ts';

/**
 * A cloud of one version of the service, with data that the version's own modules have written. That version need not
 * know this benchmark: the benchmark calls only what every version has.
 */

export interface VersionPlan {
  readonly past: { readonly entries: number; readonly days: number; readonly projects: number; readonly until: string };
  readonly products: number;
}

export interface Version {
  readonly apiKey: string;
  readonly dynamoEndpoint: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly functions: readonly VersionFunction[];
}

interface VersionFunction {
  /** The function's deployed name. */
  readonly name: string;
  readonly file: string;
  readonly exportName: string;
  readonly environment: Readonly<Record<string, string>>;
}

const [root = ''] = process.argv.slice(2);

const moduleOf = (path: string) => import(pathToFileURL(join(root, path)).href);

async function main(): Promise<void> {
  const { onScratchCloud }: typeof import('./scratch-cloud.ts') = await moduleOf('scripts/bench/scratch-cloud.ts');
  await onScratchCloud(async (cloud) => {
    serve((plan) => prepare(cloud, plan as VersionPlan));
    await once(process, 'disconnect');
  });
}

type Cloud = import('#scripts/local/cloud.ts').Cloud;

async function prepare(cloud: Cloud, { past, products }: VersionPlan): Promise<Version> {
  const { makeCaller }: typeof import('./caller.ts') = await moduleOf('scripts/bench/caller.ts');
  const { seedProducts }: typeof import('./seed.ts') = await moduleOf('scripts/bench/seed.ts');
  const { organizationId, userId, apiKey } = await makeCaller(cloud, past);
  await seedProducts({ organizationId, userId, products, description: 'By the hour' });
  const dynamo: typeof import('#scripts/local/dynamodb.ts') = await moduleOf('scripts/local/dynamodb.ts');
  const { dynamoEndpoint } = cloud;
  return { apiKey, dynamoEndpoint, credentials: dynamo.EMULATOR_CREDENTIALS, functions: await functionsOf(cloud) };
}

async function functionsOf(cloud: Cloud): Promise<VersionFunction[]> {
  const { blueprintOf, handlerOf }: typeof import('#scripts/local/blueprint.ts') =
    await moduleOf('scripts/local/blueprint.ts');
  const { Resolver }: typeof import('#scripts/local/resolve.ts') = await moduleOf('scripts/local/resolve.ts');
  const { loadAssembly }: typeof import('#scripts/local/template.ts') = await moduleOf('scripts/local/template.ts');
  const { ensureSynthesized }: typeof import('#scripts/synth.ts') = await moduleOf('scripts/synth.ts');
  const addresses = { aws: cloud.awsEndpoint, api: cloud.url };
  const { functions } = blueprintOf(new Resolver(loadAssembly(await ensureSynthesized()), {}, addresses));
  return functions.map((plan) => {
    const { file, exportName } = handlerOf(plan);
    return { name: plan.name, file: `${file}.js`, exportName, environment: { ...plan.environment } };
  });
}

await main();
