import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, parameterNames } from '#shared/contract/endpoint.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { routes } from '#shared/routes.ts';
import { Client, type Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { pathTo, resourceOf } from '#test/support/resources.ts';

/**
 * What holds for every route of the table, generated from it: no key, the wrong scopes, another organization's
 * resource.
 */

const guarded = routes.filter(({ scope }) => scope !== null);
const scoped = guarded.filter(({ scope }) => scope !== 'any');
const open = guarded.filter(({ scope }) => scope === 'any');
const located = guarded.filter(({ path }) => parameterNames(path).length > 0);
const title = ({ method, path }: Endpoint) => `${method} ${path}`;

function call(client: Client, { method, path, example }: Endpoint, id: string = randomUUID()): Promise<Reply> {
  return client.send(method, pathTo(path, id), { body: example.body });
}

describe.each(guarded.map((endpoint) => [title(endpoint), endpoint] as const))('%s', (_title, endpoint) => {
  it('answers 401 without a key', async () => {
    expect((await call(new Client(), endpoint)).status).toBe(401);
  });
});

describe.each(scoped.map((endpoint) => [title(endpoint), endpoint] as const))('%s', (_title, endpoint) => {
  it('answers 403 with every scope but its own, and names its own', async () => {
    const ana = await given.user({ scopes: SCOPES.filter((scope) => scope !== endpoint.scope) });
    const reply = await call(ana, endpoint);
    expect(reply.status).toBe(403);
    expect(reply.body.code).toBe('insufficient_scope');
    expect(reply.body.detail).toContain(endpoint.scope);
  });
});

describe.each(open.map((endpoint) => [title(endpoint), endpoint] as const))('%s', (_title, endpoint) => {
  it.each(SCOPES)('answers 200 with a key that has no scope but %s', async (scope) => {
    const ana = await given.user({ scopes: [scope] });
    expect((await call(ana, endpoint)).status).toBe(200);
  });
});

describe.each(located.map((endpoint) => [title(endpoint), endpoint] as const))('%s', (_title, endpoint) => {
  let ana: User;
  let eve: User;

  beforeAll(async () => {
    ana = await given.user();
    eve = await given.user();
  });

  it("answers another organization's id exactly like one that does not exist", async () => {
    const id = await resourceOf(endpoint, ana);
    const foreign = await call(eve, endpoint, id);
    const missing = await call(eve, endpoint);
    expect(foreign.status).toBe(404);
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(missing));
    expect(withoutRequestId(await call(eve, endpoint, 'not-a-uuid'))).toEqual(withoutRequestId(missing));
  });

  it('leaves the resource to its owner, who finds it', async () => {
    const reply = await call(ana, endpoint, await resourceOf(endpoint, ana));
    const { response } = endpoint;
    expect(reply.status).toBe(response.kind === 'resource' ? response.status : 200);
  });
});

function withoutRequestId({ status, headers, body }: Reply) {
  const volatile = new Set(['x-request-id', 'apigw-requestid', 'date', 'ratelimit']);
  return {
    status,
    headers: [...headers].filter(([name]) => !volatile.has(name)),
    body: { ...body, requestId: undefined },
  };
}
