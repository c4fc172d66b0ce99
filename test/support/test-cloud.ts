import { type BootOptions, bootCloud, type Cloud } from '#scripts/local/cloud.ts';
import { ensureSynthesized } from '#scripts/synth.ts';

/** Three of each function: tests in a random order of functions would otherwise end and start them all the time. */
export const MAXIMUM_INSTANCES = 180;

/** Far more than usual on AWS, which promises nothing. */
const MAXIMUM_INDEX_DELAY_MILLISECONDS = 1_500;

/** Indexes are behind in all tests: a read that must be fresh and asks an index is then seen to fail. */
export const indexDelayMilliseconds = (): number => Math.random() * MAXIMUM_INDEX_DELAY_MILLISECONDS;

/** Lambda ends instances when it likes: what is kept in one must not be missed. */
export const endsInstance = (): boolean => Math.random() < 0.005;

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
