import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { startDemoProvider } from '#scripts/demo/demo-provider.ts';
import { startIssuer } from '#scripts/demo/issuer.ts';
import { folderOfFile } from '#test/support/fixture-app/cloud.ts';

/** No request ends a local server. A page in a browser can send some of these to any port of this machine. */

const folder = await folderOfFile();

const TARGETS = ['//', '/', '*', 'http://[', '//@', '/%', '/\\', 'x', '/v2/time_entries?page=x&cursor=%ff&per_page=-1'];

/** The demo provider looks at nothing else of a request without these. */
const DEMO = [
  'Host: a',
  'User-Agent: a',
  'Harvest-Account-Id: 1000001',
  'Authorization: Bearer demo-access-token',
].join('\r\n');

const request = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'OPTIONS', 'CONNECT', 'TRACE', 'get'),
      fc.oneof(fc.constantFrom(...TARGETS), fc.string({ maxLength: 20 })),
      fc.constantFrom('Host: a', 'Host: [', 'Host:', 'X: y', 'Transfer-Encoding: chunked', 'Content-Length: -1', DEMO),
    )
    .map(([method, target, header]) => `${method} ${target} HTTP/1.1\r\n${header}\r\n\r\n`),
  fc.string({ unit: 'binary', maxLength: 100 }),
);

async function send(url: string, text: string): Promise<void> {
  const { hostname, port } = new URL(url);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.end(text));
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('error', () => undefined).once('close', () => resolve());
    socket.resume();
  });
}

async function expectUnimpressed(url: string): Promise<void> {
  await fc.assert(
    fc.asyncProperty(request, (text) => send(url, text)),
    { numRuns: 150, examples: TARGETS.map((target) => [`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`]) },
  );
  expect((await fetch(url)).status).toBeLessThan(500);
}

describe('no raw request ends', () => {
  it('the demo provider', async () => {
    const demo = await startDemoProvider();
    await expectUnimpressed(demo.url);
    await demo.stop();
  });

  it('the issuer', async () => {
    const { parameters, stop } = await startIssuer(folder);
    await expectUnimpressed(parameters.OidcIssuer);
    await stop();
  });

  it('the gateway', () => expectUnimpressed(inject('baseUrl')));

  it('the services of AWS', async () => {
    const { AWS_ENDPOINT_URL_DYNAMODB = '' } = process.env;
    await expectUnimpressed(AWS_ENDPOINT_URL_DYNAMODB);
  });
});
