import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Endpoint, isOfPlatform } from '#shared/contract/endpoint.ts';
import { batchesOf } from '#shared/data/table/parallel.ts';
import { routes } from '#shared/routes.ts';
import { Client } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';
import { AUDIENCE, keyPair, TestIssuer } from '#test/support/issuer.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import { addUser } from '#test/support/person.ts';
import { pathTo } from '#test/support/resources.ts';

const issuer = new TestIssuer();
await issuer.start();

useOwnCloud({
  hasIssuer: false,
  parameters: {
    AllowedOrigins: '*',
    RemoteApiUrl: inject('remoteApiUrl'),
    OidcIssuer: issuer.url,
    OidcAudience: AUDIENCE,
  },
  instances: true,
  // Each function is one process, so that they can be counted.
  endsInstance: () => false,
});

const FUNCTIONS = 50;
const STARTED_AT_ONCE = 5;

const endpoints = routes.filter(({ scope }) => scope !== null && !isOfPlatform(scope)).slice(0, FUNCTIONS);

beforeAll(async () => {
  await addUser(await given.organization(), 'ana@example.com');
});

afterAll(() => issuer.stop());

const send = (token: string, all: readonly Endpoint[]) =>
  Promise.all(
    all.map(async ({ method, path }) => (await new Client(token).send(method, pathTo(path, randomUUID()))).status),
  );

it('50 functions that meet a new key at once ask for it once each', { timeout: 120_000 }, async () => {
  const [first, next] = [keyPair('first'), keyPair('next')];
  issuer.behave(first);
  for (const some of batchesOf(endpoints, STARTED_AT_ONCE)) await send(issuer.token(first), some);
  expect(issuer.timesAsked).toBe(FUNCTIONS);
  issuer.behave(first, next);
  for (let round = 0; round < 2; round++) {
    const statuses = await send(issuer.token(next), endpoints);
    expect(statuses.filter((status) => status === 401 || status >= 500)).toEqual([]);
    expect(issuer.asked).toEqual(endpoints.map(() => '/keys'));
  }
});
