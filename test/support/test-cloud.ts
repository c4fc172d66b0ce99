import { startIssuer } from '#scripts/demo/issuer.ts';
import type { Call, Interception } from '#scripts/local/aws-endpoint.ts';
import { type BootOptions, bootCloud, type Cloud } from '#scripts/local/cloud.ts';
import { USUAL_MEGABYTES } from '#scripts/local/instance.ts';
import { UNKIND } from '#scripts/local/unkind.ts';
import { ensureSynthesized } from '#scripts/synth.ts';

/**
 * Three instances of each function. With fewer, tests that call functions in a random order would end and start
 * instances all the time.
 */
const MAXIMUM_MEGABYTES = 180 * USUAL_MEGABYTES;

/**
 * A local cloud of the service as all tests have it: as unkind as AWS (`test/local/unkind.test.ts` shows it). It refuses
 * reads of the table that DynamoDB might answer with what was there before, because the emulator never does.
 */
export async function bootTestCloud(
  dataDir: string,
  remoteApiUrl: string,
  options: Partial<BootOptions> = {},
): Promise<Cloud> {
  const cloud = await bootCloud({
    assembly: await ensureSynthesized(),
    dataDir,
    port: 0,
    parameters: { AllowedOrigins: '*', RemoteApiUrl: remoteApiUrl },
    startIssuer,
    maximumMegabytes: MAXIMUM_MEGABYTES,
    ...UNKIND,
    ...options,
  });
  cloud.intercept(refuseStaleReads);
  return cloud;
}

const READS: ReadonlySet<string> = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan']);

function refuseStaleReads({ operation, requestBody }: Call): Interception {
  const mayBeStale = READS.has(operation) && !/"ConsistentRead":true|"IndexName":/.test(requestBody);
  if (!mayBeStale) return undefined;
  const message = 'This read of the table is not consistent.';
  return { status: 400, body: JSON.stringify({ __type: 'ValidationException', message }) };
}

/** A cloud of the tests where nothing happens by itself. Failed messages are delivered again at once. */
export function bootQuietCloud(
  dataDir: string,
  remoteApiUrl: string,
  options: Partial<BootOptions> = {},
): Promise<Cloud> {
  return bootTestCloud(dataDir, remoteApiUrl, { schedules: false, maximumRedeliverySeconds: 0, ...options });
}
