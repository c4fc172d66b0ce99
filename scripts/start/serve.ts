import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
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
import { beginSynthesis, ensureSynthesized, type Step } from '#scripts/synth.ts';
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

const STEPS: Readonly<Record<Step, string>> = {
  functions: 'Building the functions. That is done once, and again after a change of the sources ...',
  stacks: 'Synthesizing the stacks ...',
};

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
  const { assembly, bundled, finish } = await beginSynthesis((step) => console.log(STEPS[step]));
  const parameters = {
    AllowedOrigins: '*',
    RemoteApiUrl: remoteApiUrl ?? (await startDemoProvider()).url,
    ...(foreignIssuer && { OidcIssuer: foreignIssuer.issuer, OidcAudience: foreignIssuer.audience }),
  };
  const common = { assembly, dataDir, parameters, isKind: !wanted.unkind, ...(!foreignIssuer && { startIssuer }) };
  let logFile: LogFile | undefined;
  const boot = async (atPort: number, others: Partial<BootOptions> = {}): Promise<Cloud> => {
    const cloud = await bootCloud({ ...common, ...others, port: atPort });
    logFile ??= new LogFile(join(dataDir, 'functions.log'), MAXIMUM_LOG_BYTES);
    writeLogs(cloud, logFile);
    return cloud;
  };
  const cloud = await boot(port, { bundled });
  let running = cloud;
  stopOnSignals(() => running);
  try {
    const demo = await openDemo(cloud, dataDir);
    if (wanted['demo-data']) await announceDemoData(cloud, demo);
    announce(cloud, demo);
    if (!foreignIssuer) announceIssuer(demo);
    if (remoteApiUrl === undefined) announceDemoProvider();
    showRequests(cloud);
    const built = bundled ? buildRest(cloud, finish) : Promise.resolve();
    if (!wanted.watch) return await built;
    let isBuilt = false;
    const builtOrTold = built.catch(tellFailure).then(() => {
      isBuilt = true;
    });
    onChanges(WATCHED, async (paths, isOutdated) => {
      if (!isBuilt) console.log(`${listed(paths)} has changed. That is built as soon as all functions are.`);
      await builtOrTold;
      running = await renewed(running, boot, paths, isOutdated);
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
  cloud.renew();
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

/**
 * Goes on with code, roles and routes that have been made again. Until then, and after a failure, all is as it was.
 *
 * @param paths of what has changed
 * @param isOutdated whether anything has changed since: then this is not served, and followed by the next
 */
async function renewed(
  cloud: Cloud,
  boot: (port: number) => Promise<Cloud>,
  paths: readonly string[],
  isOutdated: () => boolean,
): Promise<Cloud> {
  const begunAt = performance.now();
  const seconds = () => ((performance.now() - begunAt) / 1_000).toFixed(1);
  let isFresh = true;
  try {
    await ensureSynthesized((step) => {
      isFresh = false;
      console.log(step === 'functions' ? `Building after a change of ${listed(paths)} ...` : STEPS[step]);
    });
    if (isOutdated()) return cloud;
    const names = cloud.renew();
    if (names) {
      if (!isFresh || names.length > 0) console.log(`Live after ${seconds()} s: ${named(names)}`);
      return cloud;
    }
  } catch (error) {
    tellFailure(error);
    console.log('What was live before goes on.');
    return cloud;
  }
  console.log('More than functions and routes has changed: booting all stacks again ...');
  await cloud.stop();
  const booted = await boot(Number(new URL(cloud.url).port)).catch(giveUp);
  showRequests(booted);
  console.log(`Live after ${seconds()} s: all stacks`);
  return booted;
}

/** Editors make files that are gone again. */
function listed(paths: readonly string[]): string {
  const existing = paths.filter((path) => existsSync(path));
  const [first = '', ...others] = (existing.length > 0 ? existing : paths).map((path) => relative(root, path));
  return others.length > 0 ? `${first} and ${others.length} more` : first;
}

const named = (names: readonly string[]) =>
  names.length > 3 ? `${names.length} functions` : names.join(', ') || 'no function differs';

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
