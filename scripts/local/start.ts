import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { ensureSynthesized } from '#scripts/synth.ts';
import { listProducts } from '#shared/contract/products.ts';
import { bootCloud, type Cloud } from './cloud.ts';
import { createDemoOrganization } from './demo.ts';
import { StartError } from './errors.ts';
import { AssemblyError } from './template.ts';

/**
 * `npm start`: the whole service on this machine. Environment: `PORT` (default 3000), `DATA_DIR` (default `.local`), `REMOTE_API_URL`,
 * `DYNAMODB_ENDPOINT` (instead of the emulator that comes with the project).
 */

const DEFAULT_PORT = 3_000;

function portOf(text: string | undefined): number {
  const port = text === undefined || text === '' ? DEFAULT_PORT : Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new StartError(`PORT is no port number: ${text}`);
}

async function start(): Promise<void> {
  // Functions run in UTC on Lambda; the time zone is the process's, not a thread's.
  process.env.TZ = 'UTC';
  const { DATA_DIR, REMOTE_API_URL } = process.env;
  const port = portOf(process.env.PORT);
  const dataDir = DATA_DIR || '.local';
  const cloud = await bootCloud({
    assembly: await ensureSynthesized(),
    dataDir,
    port,
    parameters: { AllowedOrigins: '*', ...(REMOTE_API_URL && { RemoteApiUrl: REMOTE_API_URL }) },
  });
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
}

/** One line a request on the console; what the functions say, in full, in a file. */
function writeLogs(cloud: Cloud, dataDir: string): void {
  const file = createWriteStream(join(dataDir, 'functions.log'), { flags: 'a', mode: 0o600 });
  cloud.logs.subscribe((line) => file.write(`${JSON.stringify(line)}\n`));
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

try {
  await start();
} catch (error) {
  const isExplained = error instanceof StartError || error instanceof AssemblyError;
  console.error(isExplained ? error.message : error);
  process.exit(1);
}
