import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Endpoint, isOfPlatform } from '#shared/contract/endpoint.ts';
import { batchesOf } from '#shared/data/table/parallel.ts';
import { routes } from '#shared/routes.ts';
import { Client } from '#test/support/client.ts';
import { keyPair } from '#test/support/issuer.ts';
import { useIssuerCloud } from '#test/support/issuer-cloud.ts';
import { pathTo } from '#test/support/resources.ts';

// Each function is one process, so that they can be counted.
const { issuer } = await useIssuerCloud({ endsInstance: () => false });

const FUNCTIONS = 50;
const STARTED_AT_ONCE = 5;

const endpoints = routes.filter(({ scope }) => scope !== null && !isOfPlatform(scope)).slice(0, FUNCTIONS);

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
