import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureSynthesized } from '#scripts/synth.ts';
import { listProducts } from '#shared/contract/products/products.ts';
import { asError } from '#shared/runtime/error.ts';
import { bootCloud, type Cloud } from './cloud.ts';
import { createDemoOrganization } from './demo.ts';
import { DEMO_CREDENTIAL, startDemoProvider } from './demo-provider.ts';
import { StartError } from './errors.ts';
import { LogFile } from './log-file.ts';
import { dynamoEndpointSetting, portSetting, urlSetting } from './settings.ts';
import { AssemblyError } from './template.ts';

/**
 * `npm start`: the whole service on this machine, or with `--unkind` as unkind as AWS. It reads these variables of the
 * environment:
 * `PORT` (default 3000),
 * `DATA_DIR` (default `.local`),
 * `REMOTE_API_URL` (default: a demo provider that comes with it),
 * `DYNAMODB_ENDPOINT` (in place of the emulator that comes with the project).
 */

const DEFAULT_PORT = 3_000;

const MAXIMUM_LOG_BYTES = 10 * 1_048_576;

async function start(): Promise<void> {
  const isKind = !isUnkind();
  const port = portSetting('PORT', DEFAULT_PORT);
  const remoteApiUrl = urlSetting('REMOTE_API_URL', ['http', 'https']);
  // The cloud reads this setting itself, but only after the build.
  dynamoEndpointSetting();
  const dataDir = process.env.DATA_DIR || '.local';
  const assembly = await ensureSynthesized(console.log);
  const parameters = { AllowedOrigins: '*', RemoteApiUrl: remoteApiUrl ?? (await startDemoProvider()).url };
  const cloud = await bootCloud({ assembly, dataDir, port, parameters, isKind });
  stopOnSignals(cloud);
  writeLogs(cloud, dataDir);
  const apiKey = await createDemoOrganization(cloud, dataDir).catch(async (error: unknown) => {
    await cloud.stop();
    throw error;
  });
  console.log(`Billwright is ready at ${cloud.url}`);
  if (apiKey) {
    console.log(`API key of the demo organization, shown this once: ${apiKey}`);
    console.log(`Try: curl -H 'Authorization: Bearer ${apiKey}' ${cloud.url}${listProducts.path}`);
  }
  if (remoteApiUrl === undefined) announceDemoProvider();
}

function isUnkind(): boolean {
  try {
    return parseArgs({ options: { unkind: { type: 'boolean', default: false } } }).values.unkind;
  } catch (error) {
    throw new StartError(asError(error).message);
  }
}

function announceDemoProvider(): void {
  const { accountId, accessToken } = DEMO_CREDENTIAL;
  console.log(`Remote time tracking is a demo: connect account ${accountId} with the access token ${accessToken}`);
}

/** The console gets a line for each request, and a file all that the functions write. */
function writeLogs(cloud: Cloud, dataDir: string): void {
  const file = new LogFile(join(dataDir, 'functions.log'), MAXIMUM_LOG_BYTES);
  cloud.logs.subscribe((line) => file.write(JSON.stringify(line)));
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
