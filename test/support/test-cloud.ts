import { type BootOptions, bootCloud, type Cloud } from '#scripts/local/cloud.ts';
import { endsInstance, indexDelayMilliseconds } from '#scripts/local/unkind.ts';
import { ensureSynthesized } from '#scripts/synth.ts';

/** Three of each function: tests in a random order of functions would otherwise end and start them all the time. */
export const MAXIMUM_INSTANCES = 180;

/** A local cloud of the service where nothing happens by itself, and what has failed is delivered again at once. */
export async function bootQuietCloud(
  dataDir: string,
  remoteApiUrl: string,
  options: Partial<BootOptions> = {},
): Promise<Cloud> {
  return bootCloud({
    assembly: await ensureSynthesized(),
    dataDir,
    port: 0,
    parameters: { RemoteApiUrl: remoteApiUrl },
    schedules: false,
    maximumRedeliverySeconds: 0,
    maximumInstances: MAXIMUM_INSTANCES,
    indexDelayMilliseconds,
    endsInstance,
    ...options,
  });
}
