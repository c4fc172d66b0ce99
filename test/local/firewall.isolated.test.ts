import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { defineBillwright } from '#infra/billwright.ts';
import { tables } from '#infra/functions.ts';
import { contextOf, ensureSynthesized } from '#scripts/synth.ts';
import { formatApiKey } from '#shared/domain/keys/api-key.ts';
import { ORIGIN_HEADER } from '#shared/runtime/origin.ts';
import { temporaryFolder } from '#test/support/fixture-app/cloud.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';

/** The service as it is deployed with a firewall, but for the firewall itself. */
async function synthesizeWithFirewall(): Promise<string> {
  await ensureSynthesized();
  const webAclArn = 'arn:aws:wafv2:us-east-1:111111111111:global/webacl/billwright/1';
  const firewall = { webAclArn, isEnforced: true, secrets: ['new', 'old'] };
  const context = { ...(await contextOf()), firewall, 'aws:cdk:enable-asset-metadata': true };
  const app = new App({ outdir: await temporaryFolder(), context });
  defineBillwright(app, { ...tables, bundles: join(import.meta.dirname, '../../dist/functions') });
  return app.synth().directory;
}

const assembly = await synthesizeWithFirewall();
afterAll(() => rm(assembly, { recursive: true }));

const own = useOwnCloud({ assembly, instances: true });

/** Well-formed, and of nobody. A function remembers for a minute that one is. */
const key = () => ({ authorization: `Bearer ${formatApiKey(randomBytes(32))}` });

/** @returns the status, and what was asked of the table for the request itself */
async function ask(path: string, headers: Readonly<Record<string, string>>) {
  const operations: string[] = [];
  onTestFinished(own.cloud.observe(({ operation }) => operations.push(operation)));
  const { status } = await fetch(`${own.cloud.url}${path}`, { headers: { ...key(), ...headers } });
  // A function that starts asks for the layout of the table, whoever calls.
  return { status, operations: operations.filter((operation) => operation !== 'GetItem') };
}

const secrets = () => {
  const [api] = own.cloud.identities.filter(({ name }) => name.endsWith('-get-me'));
  return api?.environment.ORIGIN_SECRETS?.split(' ') ?? [];
};

it('says no more than that the request is forbidden', async () => {
  const reply = await fetch(`${own.cloud.url}/v1/me`, { headers: key() });
  expect([reply.headers.get('content-type'), await reply.json()]).toEqual([
    'application/json',
    { message: 'Forbidden' },
  ]);
});

it('refuses a request that went around it before anything is read, with a key too', async () => {
  for (const path of ['/v1/me', '/health', '/nowhere']) {
    expect(await ask(path, {})).toEqual({ status: 403, operations: [] });
    for (const guessed of ['guessed', '', secrets().join(' ')]) {
      expect(await ask(path, { [ORIGIN_HEADER]: guessed })).toEqual({ status: 403, operations: [] });
    }
  }
});

it('lets a request through that brings one of its secrets, as far as its key allows', async () => {
  const known = secrets();
  expect(known).toHaveLength(2);
  for (const secret of known) {
    const through = { [ORIGIN_HEADER]: secret };
    expect(await ask('/v1/me', through)).toEqual({ status: 401, operations: ['UpdateItem'] });
    expect((await ask('/health', through)).status).toBe(200);
    expect((await ask('/nowhere', through)).status).toBe(404);
  }
});
