import { createServer } from 'node:http';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startDynamoDb, startEmulator } from '#scripts/local/dynamodb.ts';
import { StartError } from '#scripts/local/errors.ts';
import { listen } from '#scripts/local/http.ts';
import { dynamoEndpointSetting } from '#scripts/local/settings.ts';
import { folderOfFile } from '#test/support/fixture-app/cloud.ts';

const dataDir = await folderOfFile();
const stranger = createServer((_, response) => response.writeHead(404).end('<html>Nothing here</html>'));
afterAll(() => void stranger.close());

/** What the start shows, as one line, of a failure that its reader can mend. */
async function complaint(start: () => unknown): Promise<string> {
  const error = await Promise.resolve()
    .then(start)
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof StartError)) throw new Error('There is no complaint.', { cause: error });
  return error.message;
}

describe('the database', () => {
  it.each(['localhost:8000', '127.0.0.1', 'https://localhost:8000', 'http://', 'http:localhost', 'nonsense'])(
    'is not looked for at %s',
    async (endpoint) => {
      vi.stubEnv('DYNAMODB_ENDPOINT', endpoint);
      expect(await complaint(dynamoEndpointSetting)).toBe(
        `DYNAMODB_ENDPOINT is no URL that begins with http://: ${endpoint}`,
      );
      vi.unstubAllEnvs();
    },
  );

  it('that does not answer is named in one line, with its variable', async () => {
    expect(await complaint(() => startDynamoDb(dataDir, 'http://localhost:1'))).toBe(
      'No DynamoDB answers at the DYNAMODB_ENDPOINT http://localhost:1 (ECONNREFUSED).',
    );
  });

  it('is not taken for one where something else answers', async () => {
    const port = await listen(stranger, 0, '127.0.0.1');
    expect(await complaint(() => startDynamoDb(dataDir, `http://127.0.0.1:${port}/`))).toMatch(
      /^No DynamoDB answers at the DYNAMODB_ENDPOINT http:\/\/127\.0\.0\.1:\d+ \(\w+\)\.$/,
    );
  });

  it('listens where no web page finds it, at another place each time', async () => {
    const emulators = [await startEmulator(':memory:'), await startEmulator(':memory:')];
    const places = emulators.map(({ endpoint }) => new URL(endpoint));
    await Promise.all(
      places.map(async ({ port }) => {
        for (const host of ['127.0.0.1', '[::1]'])
          await expect(fetch(`http://${host}:${port}`)).rejects.toThrow('fetch failed');
      }),
    );
    expect(places.map(({ hostname }) => hostname)).toEqual(Array(2).fill(expect.stringMatching(/^127(\.\d+){3}$/)));
    expect(places[0]?.hostname).not.toBe(places[1]?.hostname);
    await Promise.all(emulators.map((emulator) => emulator.stop()));
  });
});
