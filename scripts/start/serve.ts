import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { openDemo } from '#scripts/demo/demo.ts';
import { startDemoProvider } from '#scripts/demo/demo-provider.ts';
import { startIssuer } from '#scripts/demo/issuer.ts';
import { type BootOptions, bootCloud, type Cloud } from '#scripts/local/cloud.ts';
import { emptyDataDir } from '#scripts/local/data-files.ts';
import { StartError } from '#scripts/local/errors.ts';
import { dynamoEndpointSetting, issuerSetting, portSetting, urlSetting } from '#scripts/local/settings.ts';
import { AssemblyError } from '#scripts/local/template.ts';
import { ProgramError } from '#scripts/run-program.ts';
import { beginSynthesis, ensureSynthesized, synthesizedPlan } from '#scripts/synth.ts';
import { asError } from '#shared/runtime/error.ts';
import { announce, announceDemoData, announceDemoProvider, announceIssuer } from './announce.ts';
import { onChanges } from './changes.ts';
import { LogFile } from './log-file.ts';

/**
 * `npm start`: the whole service on this machine. `--unkind` makes it as unkind as AWS, `--demo-data` adds a month of a
 * team's work, and `--fresh` deletes the data of earlier starts, after a question or with `--yes`. `npm run dev`
 * (`--watch`) also follows changes of the sources. Both read these variables of the environment:
 * `PORT` (default 3000),
 * `DATA_DIR` (default `.local`),
 * `REMOTE_API_URL` (default: a demo provider that comes with it),
 * `OIDC_ISSUER` and `OIDC_AUDIENCE` (default: an issuer that comes with it, for `npm run token`),
 * `DYNAMODB_ENDPOINT` (in place of the emulator that comes with the project).
 */

const DEFAULT_PORT = 3_000;

const root = dirname(dirname(import.meta.dirname));

const WATCHED = ['functions', 'infra', 'shared'].map((folder) => join(root, folder));

/** Until then, only functions that somebody waits for are built. */
const FIRST_REQUEST_MILLISECONDS = 2_000;

const MAXIMUM_LOG_BYTES = 10 * 1_048_576;

/** As the service logs an error that it does not know, and the local cloud an instance that fails. */
const unexpected = v.union([
  v.pipe(
    v.object({ level: v.literal('ERROR'), error: v.object({ stack: v.string() }) }),
    v.transform(({ error }) => error.stack),
  ),
  v.pipe(
    v.object({ level: v.literal('ERROR'), errorMessage: v.string(), trace: v.optional(v.array(v.string())) }),
    v.transform(({ errorMessage, trace }) => trace?.join('\n') || errorMessage),
  ),
]);

interface Running {
  readonly cloud: Cloud;
  /** What its stacks were synthesized from. */
  readonly plan: string;
}

const OPTIONS = {
  watch: { type: 'boolean', default: false },
  unkind: { type: 'boolean', default: false },
  'demo-data': { type: 'boolean', default: false },
  fresh: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
} as const;

async function start(): Promise<void> {
  const wanted = options();
  const port = portSetting('PORT', DEFAULT_PORT);
  const remoteApiUrl = urlSetting('REMOTE_API_URL', ['http', 'https']);
  const foreignIssuer = issuerSetting();
  // The cloud asks for this itself, but only after the build.
  dynamoEndpointSetting();
  const dataDir = process.env.DATA_DIR || '.local';
  if (wanted.fresh) await emptyDataDir(dataDir, wanted.yes);
  const { assembly, bundled, finish } = await beginSynthesis(console.log);
  const parameters = {
    AllowedOrigins: '*',
    RemoteApiUrl: remoteApiUrl ?? (await startDemoProvider()).url,
    ...(foreignIssuer && { OidcIssuer: foreignIssuer.issuer, OidcAudience: foreignIssuer.audience }),
  };
  const common = { assembly, dataDir, parameters, isKind: !wanted.unkind, ...(!foreignIssuer && { startIssuer }) };
  let logFile: LogFile | undefined;
  const boot = async (atPort: number, others: Partial<BootOptions> = {}): Promise<Running> => {
    const plan = await synthesizedPlan();
    const cloud = await bootCloud({ ...common, ...others, port: atPort });
    logFile ??= new LogFile(join(dataDir, 'functions.log'), MAXIMUM_LOG_BYTES);
    writeLogs(cloud, logFile);
    return { cloud, plan };
  };
  let running = await boot(port, { bundled });
  const { cloud } = running;
  stopOnSignals(() => running.cloud);
  try {
    const demo = await openDemo(cloud, dataDir);
    if (wanted['demo-data']) await announceDemoData(cloud, demo);
    announce(cloud, demo);
    if (!foreignIssuer) announceIssuer(demo);
    if (remoteApiUrl === undefined) announceDemoProvider();
    showRequests(cloud);
    const built = bundled ? buildRest(cloud, finish) : Promise.resolve();
    if (!wanted.watch) return await built;
    const builtOrTold = built.catch(tellFailure);
    onChanges(WATCHED, async () => {
      await builtOrTold;
      running = await renewed(running, boot).catch(giveUp);
    });
  } catch (error) {
    await cloud.stop();
    throw error;
  }
}

/** The functions that nobody has asked for yet. */
async function buildRest(cloud: Cloud, finish: () => Promise<void>): Promise<void> {
  await Promise.race([firstRequest(cloud), sleep(FIRST_REQUEST_MILLISECONDS)]);
  await finish();
  cloud.renewCode();
  console.log('All functions are built.');
}

function firstRequest(cloud: Cloud): Promise<void> {
  return new Promise((resolve) => {
    const end = cloud.onRequest(() => {
      end();
      resolve();
    });
  });
}

/** Functions get their new code. New stacks are booted, on the same data. */
async function renewed(running: Running, boot: (port: number) => Promise<Running>): Promise<Running> {
  const { cloud, plan } = running;
  try {
    await ensureSynthesized();
  } catch (error) {
    tellFailure(error);
    return running;
  }
  if ((await synthesizedPlan()) === plan) {
    cloud.renewCode();
    console.log('The functions are built again.');
    return running;
  }
  await cloud.stop();
  const booted = await boot(Number(new URL(cloud.url).port));
  showRequests(booted.cloud);
  console.log('The stacks are synthesized again.');
  return booted;
}

const tellFailure = (error: unknown) => console.error(asError(error).message);

function options() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    throw new StartError(asError(error).message);
  }
}

/** A file gets all that the functions write, and the console what failed unexpectedly. */
function writeLogs(cloud: Cloud, file: LogFile): void {
  cloud.logs.subscribe((line) => {
    file.write(JSON.stringify(line));
    const failure = v.safeParse(unexpected, line.record);
    if (failure.success) void showFailure(line.functionName, failure.output);
  });
}

/** The bundler is loaded only for it. */
async function showFailure(functionName: string, stack: string): Promise<void> {
  const { sourceStack } = await import('#scripts/build/source-stack.ts');
  console.error(`${functionName}: ${await sourceStack(functionName, stack).catch(() => stack)}`);
}

function showRequests(cloud: Cloud): void {
  cloud.onRequest(({ method, path, status, milliseconds }) =>
    console.log(`${method} ${path} ${status} ${milliseconds} ms`),
  );
}

function stopOnSignals(current: () => Cloud): void {
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await current().stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
}

/** As does an error of the system, such as of a full disk. */
const isExplained = (error: unknown): error is Error =>
  [StartError, AssemblyError, ProgramError].some((kind) => error instanceof kind) ||
  (error instanceof Error && 'syscall' in error);

// Stops for no console that is closed.
process.stdout.on('error', () => {});

function giveUp(error: unknown): never {
  console.error(isExplained(error) ? error.message : error);
  process.exit(1);
}

await start().catch(giveUp);
