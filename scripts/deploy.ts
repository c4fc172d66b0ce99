import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import {
  assertAccount,
  assertRegion,
  assertSettings,
  assertSuitable,
  type Config,
  NO_ORIGIN,
  prefixOf,
  readConfig,
  STAGES,
  type Stage,
} from '#infra/config.ts';
import { assertWithinLimits, type Tables, tables } from '#infra/functions.ts';
import { acceptsLayout } from '#shared/data/layout/keys.ts';
import { otherLayout, readLayout } from '#shared/data/table/layout.ts';
import { asError } from '#shared/runtime/error.ts';
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
} from './collisions.ts';
import { runCommand, UsageError, wordsOf } from './command-line.ts';
import { concurrencyLines, readQuota } from './concurrency.ts';
import { deployedRelease, deployedTable, deployingAccount } from './deployed.ts';
import { type Assembly, loadAssembly, type Stack } from './local/template.ts';
import { contextOf, synthesizeStage } from './synth.ts';

/**
 * `npm run deploy -- --stage NAME`: deploys the stacks with the settings of the stage (`infra/config.ts`). The AWS
 * credentials in the environment decide the account and region. CDK asks before roles, or access, would widen.
 */

const USAGE = `Usage: npm run deploy -- --stage ${STAGES.join('|')} [--dry-run] [--yes] [--drained QUEUE]
  --dry-run        builds and synthesizes, says what would be deployed, and deploys nothing
  --yes            deploys without asking, also where permissions widen
  --drained QUEUE  a queue that may go, since it is empty; can be repeated`;

/** Shown without a stack, because the reader can fix the cause. */
class DeployError extends Error {}

interface Wishes {
  readonly stage: Stage;
  readonly isDryRun: boolean;
  readonly isConfirmed: boolean;
  /** Names of queues. */
  readonly drained: readonly string[];
}

function wishes(): Wishes {
  const { values } = wordsOf({
    options: {
      stage: { type: 'string' },
      'dry-run': { type: 'boolean' },
      yes: { type: 'boolean' },
      drained: { type: 'string', multiple: true },
    },
  });
  const { stage, 'dry-run': isDryRun = false, yes: isConfirmed = false, drained = [] } = values;
  if (stage === undefined) throw new UsageError('--stage is required.');
  if (!v.is(v.picklist(STAGES), stage)) throw new UsageError(`There is no stage "${stage}".`);
  return { stage, isDryRun, isConfirmed, drained };
}

/** Nobody should wait for a build to hear that a setting is wrong. */
export function settingsOf(context: Readonly<Record<string, unknown>>, tables: Tables): Config {
  return told(() => {
    assertWithinLimits(tables);
    assertSettings(Object.keys(context));
    const config = readConfig((name) => context[name]);
    assertSuitable(config, tables);
    return config;
  });
}

function told<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    throw new DeployError(asError(cause).message, { cause });
  }
}

/**
 * Nor that credentials are missing, or that the account runs too few functions.
 *
 * @returns the region of the deployment
 */
async function assertDestination(settings: Config): Promise<string> {
  const { config } = new DynamoDBClient({});
  await config.credentials().catch((cause: unknown) => {
    throw new DeployError(
      'There are no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
      { cause },
    );
  });
  const region = await config.region().catch((cause: unknown) => {
    throw new DeployError('There is no AWS region: set AWS_REGION.', { cause });
  });
  told(() => assertRegion(settings, region));
  if (settings.domain ?? settings.firewall ?? settings.backups) {
    const account = await deployingAccount(region).catch((cause: unknown) => {
      throw new DeployError(`Cannot tell the account: ${asError(cause).message}`, { cause });
    });
    told(() => assertAccount(settings, region, account));
  }
  const quota = await readQuota();
  for (const line of told(() => concurrencyLines(settings, tables, quota))) console.log(line);
  return region;
}

function allowedOriginsOf({ template }: Stack): string {
  const origins = v.parse(v.string(), template.Parameters.AllowedOrigins?.Default);
  return origins === NO_ORIGIN ? 'none (`allowedOrigins` in infra/config.ts)' : origins;
}

export function summaryOf(stage: Stage, stacks: readonly Stack[]): string {
  const lines = stacks.map(
    (stack) => `  ${shownName(stack)}: ${Object.keys(stack.template.Resources).length} resources`,
  );
  const origins = stacks
    .filter(isApi)
    .map((api) => `Pages of these origins may call the API: ${allowedOriginsOf(api)}`);
  return [`Stage ${stage} has the stacks`, ...lines, ...origins].join('\n');
}

/** CDK repeats itself in the name of a nested stack. */
const shownName = ({ name }: Stack) => name.replace(/NestedStack.*$/, '');

const tellsSomebody = ({ template }: Stack) =>
  Object.values(template.Resources).some(({ Type }) => Type === 'AWS::SNS::Subscription');

const isApi = ({ template }: Stack) => 'AllowedOrigins' in template.Parameters;

/**
 * A parameter that is not named keeps the value of the previous deployment. Those of nested stacks come from the stack
 * around them.
 */
export function cdkArguments(stage: Stage, folder: string, stacks: readonly Stack[], isConfirmed: boolean): string[] {
  const parameters = stacks
    .filter(({ parent }) => !parent)
    .flatMap(({ name, template }) =>
      Object.entries(template.Parameters).map(([parameter, { Default }]) => `${name}:${parameter}=${Default}`),
    );
  const approval = isConfirmed ? 'never' : 'broadening';
  const outputs = join(dirname(folder), `${stage}-outputs.json`);
  return [
    ...['deploy', '--app', folder, '--all', '--require-approval', approval, '--outputs-file', outputs],
    ...parameters.flatMap((parameter) => ['--parameters', parameter]),
  ];
}

const RULES = [
  collisions,
  changedTypes,
  lostAddresses,
  newStores,
  replacedStores,
  refusedTableChanges,
  lostExports,
  firewallGaps,
  oversizedTemplates,
];

/**
 * Refuses what CloudFormation would fail at, or what would lose data, before anything is sent.
 *
 * @returns the release that is deployed
 */
export async function assertDeployable(
  assembly: Assembly,
  region: string,
  drained: readonly string[] = [],
): Promise<Assembly> {
  const names = assembly.stacks.filter(({ parent }) => !parent).map(({ name }) => name);
  const deployed = await deployedRelease(names, region).catch((cause: unknown) => {
    throw new DeployError(`Cannot read the deployed stacks: ${asError(cause).message}`, { cause });
  });
  const lines = [
    ...RULES.flatMap((faultsOf) => faultsOf(deployed, assembly)),
    ...lostQueues(deployed, assembly, drained),
  ];
  if (lines.length > 0) throw new DeployError(lines.join('\n'));
  return deployed;
}

/** Every function would refuse a table of another layout. */
export async function assertTable(table: string, region: string): Promise<void> {
  const client = new DynamoDBClient({ region });
  try {
    const layout = await readLayout(DynamoDBDocumentClient.from(client), table).catch((cause: unknown) => {
      throw new DeployError(`Cannot read the layout of ${table}: ${asError(cause).message}`, { cause });
    });
    if (!acceptsLayout(layout)) throw new DeployError(otherLayout(table, layout));
  } finally {
    client.destroy();
  }
}

async function runCdk(args: readonly string[]): Promise<void> {
  const cdk = join(dirname(import.meta.dirname), 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const child = spawn(process.execPath, [cdk, ...args], { stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0) throw new DeployError('CDK has not deployed everything; what it said is above.');
}

async function deploy({ stage, isDryRun, isConfirmed, drained }: Wishes): Promise<void> {
  const settings = settingsOf(await contextOf(stage), tables);
  const region = isDryRun ? undefined : await assertDestination(settings);
  const folder = await synthesizeStage(stage);
  const assembly = loadAssembly(folder);
  const { stacks } = assembly;
  console.log(summaryOf(stage, stacks));
  if (stage !== 'dev' && !stacks.some(tellsSomebody)) {
    console.error(`NOBODY IS TOLD OF THE ALARMS of ${stage}: set alarmEmail in infra/config.ts.`);
  }
  if (region === undefined) {
    console.log(
      `Nothing was deployed. With credentials, "npx cdk diff --app ${folder} --all" tells what would change.`,
    );
    return;
  }
  const deployed = await assertDeployable(assembly, region, drained);
  const table = settings.restoredTable ?? (await deployedTable(deployed, region));
  if (table) await assertTable(table, region);
  await runCdk(cdkArguments(stage, folder, stacks, isConfirmed));
  console.log(`Stage ${stage} is deployed. Its table is the output TableName of ${prefixOf(stage)}-data.`);
}

const explanation = (error: unknown) => (error instanceof DeployError ? error.message : error);

if (import.meta.main) await runCommand(USAGE, async () => deploy(wishes()), explanation);
