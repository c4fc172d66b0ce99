import { type BootOptions, bootCloud, type Cloud } from '#scripts/local/cloud.ts';
import { endsInstance, indexDelayMilliseconds } from '#scripts/local/unkind.ts';
import { ensureSynthesized } from '#scripts/synth.ts';

/**
 * Three instances of each function. With fewer, tests that call functions in a random order would end and start
 * instances all the time.
 */
const MAXIMUM_INSTANCES = 180;

/**
 * A local cloud of the service as all tests have it: as unkind as AWS, but without limits of throughput.
 * `test/local/unkind.test.ts` shows that it is so.
 */
export async function bootTestCloud(
  dataDir: string,
  remoteApiUrl: string,
  options: Partial<BootOptions> = {},
): Promise<Cloud> {
  return bootCloud({
    assembly: await ensureSynthesized(),
    dataDir,
    port: 0,
    parameters: { RemoteApiUrl: remoteApiUrl },
    maximumInstances: MAXIMUM_INSTANCES,
    indexDelayMilliseconds,
    endsInstance,
    ...options,
  });
}

/** A cloud of the tests where nothing happens by itself. Failed messages are delivered again at once. */
export function bootQuietCloud(
  dataDir: string,
  remoteApiUrl: string,
  options: Partial<BootOptions> = {},
): Promise<Cloud> {
  return bootTestCloud(dataDir, remoteApiUrl, { schedules: false, maximumRedeliverySeconds: 0, ...options });
}
