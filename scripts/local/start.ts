import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureSynthesized } from '#scripts/synth.ts';
import { SERVICE } from '#shared/contract/meta/service.ts';
import { listProducts } from '#shared/contract/products/products.ts';
import { asError } from '#shared/runtime/error.ts';
import { bootCloud, type Cloud } from './cloud.ts';
import { emptyDataDir } from './data-files.ts';
import { type Demo, openDemo } from './demo.ts';
import { addDemoData } from './demo-data.ts';
import { DEMO_CREDENTIAL, startDemoProvider } from './demo-provider.ts';
import { emulatorBinary } from './dynamodb.ts';
import { StartError } from './errors.ts';
import { LogFile } from './log-file.ts';
import { dynamoEndpointSetting, portSetting, urlSetting } from './settings.ts';
import { AssemblyError } from './template.ts';

/**
 * `npm start`: the whole service on this machine. `--unkind` makes it as unkind as AWS, `--demo-data` adds a month of a
 * team's work, and `--fresh` deletes the data of earlier starts, after a question or with `--yes`. It reads these
 * variables of the environment:
 * `PORT` (default 3000),
 * `DATA_DIR` (default `.local`),
 * `REMOTE_API_URL` (default: a demo provider that comes with it),
 * `DYNAMODB_ENDPOINT` (in place of the emulator that comes with the project).
 */

const DEFAULT_PORT = 3_000;

const MAXIMUM_LOG_BYTES = 10 * 1_048_576;

const OPTIONS = {
  unkind: { type: 'boolean', default: false },
  'demo-data': { type: 'boolean', default: false },
  fresh: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
} as const;

async function start(): Promise<void> {
  const wanted = options();
  const port = portSetting('PORT', DEFAULT_PORT);
  const remoteApiUrl = urlSetting('REMOTE_API_URL', ['http', 'https']);
  // The cloud asks for these itself, but only after the build.
  if (dynamoEndpointSetting() === undefined) emulatorBinary();
  const dataDir = process.env.DATA_DIR || '.local';
  if (wanted.fresh) await emptyDataDir(dataDir, wanted.yes);
  const assembly = await ensureSynthesized(console.log);
  const parameters = { AllowedOrigins: '*', RemoteApiUrl: remoteApiUrl ?? (await startDemoProvider()).url };
  const cloud = await bootCloud({ assembly, dataDir, port, parameters, isKind: !wanted.unkind });
  stopOnSignals(cloud);
  writeLog(cloud, dataDir);
  try {
    const demo = await openDemo(cloud, dataDir);
    if (wanted['demo-data']) await announceDemoData(cloud, demo);
    announce(cloud, demo);
    showRequests(cloud);
  } catch (error) {
    await cloud.stop();
    throw error;
  }
  if (remoteApiUrl === undefined) announceDemoProvider();
}

function options() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    throw new StartError(asError(error).message);
  }
}

function announce({ url }: Cloud, { organizationName, userName, apiKey }: Demo): void {
  console.log(`Billwright is ready at ${url}`);
  console.log(`Reference: ${url}${SERVICE.docs}`);
  if (apiKey) {
    console.log(`API key of the organization ${organizationName}, shown this once: ${apiKey}`);
    console.log(`Try: curl -H 'Authorization: Bearer ${apiKey}' ${url}${listProducts.path}`);
    return;
  }
  const place = process.env.DATA_DIR ? `DATA_DIR=${quoted(process.env.DATA_DIR)} ` : '';
  const owner = `--organization ${quoted(organizationName)} --user ${quoted(userName)}`;
  console.log(`The API key of the organization ${organizationName} was shown at the first start. For another:`);
  console.log(`  ${place}npm run keys -- create ${owner} --scopes all`);
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

async function announceDemoData({ url }: Cloud, demo: Demo): Promise<void> {
  const isAdded = await addDemoData(url, demo, new Date());
  console.log(
    isAdded
      ? `Added a month of demo data to the organization ${demo.organizationName}.`
      : 'The demo data are there already.',
  );
}

function announceDemoProvider(): void {
  const { accountId, accessToken } = DEMO_CREDENTIAL;
  console.log(`Remote time tracking is a demo: connect account ${accountId} with the access token ${accessToken}`);
}

function writeLog(cloud: Cloud, dataDir: string): void {
  const file = new LogFile(join(dataDir, 'functions.log'), MAXIMUM_LOG_BYTES);
  cloud.logs.subscribe((line) => file.write(JSON.stringify(line)));
}

function showRequests(cloud: Cloud): void {
  cloud.onRequest(({ method, path, status, milliseconds }) =>
    console.log(`${method} ${path} ${status} ${milliseconds} ms`),
  );
}

function stopOnSignals(cloud: Cloud): void {
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await cloud.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
}

// Stops for no console that is closed.
process.stdout.on('error', () => {});

try {
  await start();
} catch (error) {
  const isExplained = error instanceof StartError || error instanceof AssemblyError;
  console.error(isExplained ? error.message : error);
  process.exit(1);
}
