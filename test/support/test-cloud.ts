import { bootCloud, type Cloud } from '#scripts/local/cloud.ts';
import { dynamoEndpointSetting } from '#scripts/local/settings.ts';
import { ensureSynthesized } from '#scripts/synth.ts';

/** Three of each function: tests in a random order of functions would otherwise end and start them all the time. */
export const MAXIMUM_INSTANCES = 180;

/**
 * The environment with which the data modules work in a test's own process. Their calls go straight to the emulator that comes along: the
 * endpoint before it would only find that an operator may do anything, thousands of times. Any other emulator may keep the tables of
 * callers apart, and needs the endpoint.
 */
export function operatorEnvironmentOf({ operatorEnvironment, dynamoEndpoint }: Cloud): Record<string, string> {
  return dynamoEndpointSetting()
    ? operatorEnvironment
    : { ...operatorEnvironment, AWS_ENDPOINT_URL_DYNAMODB: dynamoEndpoint };
}

/** A local cloud of the service where nothing happens by itself, and what has failed is delivered again at once. */
export async function bootQuietCloud(dataDir: string, remoteApiUrl: string): Promise<Cloud> {
  return bootCloud({
    assembly: await ensureSynthesized(),
    dataDir,
    port: 0,
    parameters: { RemoteApiUrl: remoteApiUrl },
    schedules: false,
    maximumRedeliverySeconds: 0,
    maximumInstances: MAXIMUM_INSTANCES,
  });
}
