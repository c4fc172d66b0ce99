import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, isOfPlatform, parameterNames } from '#shared/contract/endpoint.ts';
import { SCOPES, SCOPES_OF_ROLE, type Scope } from '#shared/domain/keys/scopes.ts';
import type { Role } from '#shared/domain/role.ts';
import { routes } from '#shared/routes.ts';
import { Client, type Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { addUser, newEmail, type Person, signIn } from '#test/support/person.ts';
import { pathTo, requiredQueryOf, resourceOf } from '#test/support/resources.ts';

/**
 * What holds for every route of the table, generated from it: no key, people who have signed in, the wrong scopes, the wrong role, another
 * organization's resource, another user's.
 */

/** The writes of members, spelled once more. */
const OF_MEMBERS: ReadonlySet<string> = new Set([
  'createEntry',
  'updateEntry',
  'deleteEntry',
  'startTimer',
  'updateTimer',
  'stopTimer',
  'discardTimer',
  'updateMe',
]);

/** What members may not even read. */
const OF_ADMINS: ReadonlySet<string> = new Set(['listWebhooks', 'getWebhook']);

const CREATES: ReadonlySet<string> = new Set(['createEntry', 'startTimer']);

const guarded = routes.filter(({ scope }) => scope !== null);
const scoped = guarded.filter(({ scope }) => scope !== 'any');
const ofOrganizations = guarded.filter(({ scope }) => !isOfPlatform(scope));
const ofKeys = guarded.filter(({ takesKeys }) => takesKeys !== false);
const open = ofKeys.filter(({ scope }) => scope === 'any');
const located = ofOrganizations.filter(({ path }) => parameterNames(path).length > 0);
const bodied = guarded.filter(({ body }) => body !== undefined);
const ofPeople = guarded.filter(({ takesKeys }) => takesKeys === false);
const title = ({ method, path }: Endpoint) => `${method} ${path}`;

function call(
  client: Client,
  endpoint: Endpoint,
  id: string = randomUUID(),
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const { method, path, example } = endpoint;
  return client.send(method, pathTo(path, id), { query: requiredQueryOf(endpoint), body: example.body, headers });
}

let ana: User;
let eve: User;
let member: User;
let signedIn: Readonly<Record<Role, Person>>;
let platform: Client;

beforeAll(async () => {
  ana = await given.user();
  eve = await given.user();
  member = await given.user({ organization: ana.organization, role: 'member' });
  platform = await given.platform();
  await given.connection(ana);
  await given.logo(ana);
  const [adminEmail, memberEmail] = [newEmail(), newEmail()];
  await addUser(ana.organization, adminEmail);
  await addUser(ana.organization, memberEmail, 'member');
  const named = (email: string) => signIn(email).in(ana.organization.id);
  signedIn = { admin: named(adminEmail), member: named(memberEmail) };
});

it.each(guarded)('$method $path answers 401 without a key', async (endpoint) => {
  expect((await call(new Client(), endpoint)).status).toBe(401);
});

describe.each(guarded.map((endpoint) => [title(endpoint), endpoint] as const))('%s', (_title, endpoint) => {
  const { method, path, scope, takesAnyPerson, takesKeys } = endpoint;

  it('answers people who have signed in 401 with a token that is not valid, and 403 where they are no users', async () => {
    const invalid = await call(signIn(newEmail(), { aud: 'other' }), endpoint);
    expect({ status: invalid.status, code: invalid.body.code }).toEqual({ status: 401, code: 'invalid_token' });
    expect(invalid.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    const stranger = await call(signIn(newEmail()).in(ana.organization.id), endpoint);
    const welcome =
      takesKeys === false ? { status: 400, code: 'invitation_invalid' } : { status: 200, code: undefined };
    expect({ status: stranger.status, code: stranger.body.code }).toEqual(
      takesAnyPerson ? welcome : { status: 403, code: isOfPlatform(scope) ? 'insufficient_scope' : 'not_a_member' },
    );
  });

  if (method === 'GET' && !path.includes('{')) {
    it('is read by an admin who has signed in as by one with a key, and by a member if it has the scope', async () => {
      const byKey = await call(ana, endpoint);
      expect((await call(signedIn.admin, endpoint)).status).toBe(byKey.status);
      const isForMembers = scope === 'any' || SCOPES_OF_ROLE.member.some((held) => held === scope);
      expect((await call(signedIn.member, endpoint)).status).toBe(isForMembers ? byKey.status : 403);
    });
  }
});

it.each(scoped)('$method $path answers 403 with every scope but its own, and names its own', async (endpoint) => {
  const ana = await userWith(SCOPES.filter((scope) => scope !== endpoint.scope));
  const reply = await call(ana, endpoint);
  expect(reply.status).toBe(403);
  expect(reply.body.code).toBe('insufficient_scope');
  expect(reply.body.detail).toContain(endpoint.scope);
});

it.each(ofOrganizations)(
  '$method $path answers a key of the platform 403, whether or not the resource exists',
  async (endpoint) => {
    const ids = parameterNames(endpoint.path).length > 0 ? [undefined, await keptOf(endpoint)] : [undefined];
    for (const id of ids) {
      const { status, body } = await call(platform, endpoint, id);
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'insufficient_scope' });
    }
  },
);

it.each(guarded)(
  '$method $path answers 403 to a key that names another organization, whether or not that exists',
  async (endpoint) => {
    const by = isOfPlatform(endpoint.scope) ? platform : ana;
    for (const id of [eve.organization.id, randomUUID(), 'acme']) {
      const { status, body } = await call(by, endpoint, undefined, { 'billwright-organization': id });
      expect({ status, code: body.code, detail: body.detail }).toEqual({
        status: 403,
        code: 'not_a_member',
        detail: 'You are no user of this organization. Your API key belongs to another one.',
      });
    }
  },
);

it.each(ofPeople)('$method $path answers 403 to any key', async (endpoint) => {
  for (const by of [ana, member, platform]) {
    const { status, body } = await call(by, endpoint);
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'insufficient_scope' });
  }
});

const ofRoles = ofOrganizations.filter(({ takesKeys }) => takesKeys !== false);

describe.each(ofRoles.map((endpoint) => [title(endpoint), endpoint] as const))('%s', (_title, endpoint) => {
  const { method, operationId, path } = endpoint;
  const isLocated = parameterNames(path).length > 0;

  if ((method !== 'GET' || OF_ADMINS.has(operationId)) && !OF_MEMBERS.has(operationId)) {
    it('answers a member 403, whatever its scopes, and whether or not the resource exists', async () => {
      const replies = [await call(member, endpoint)];
      if (isLocated) replies.push(await call(member, endpoint, await keptOf(endpoint)));
      for (const { status, body } of replies) {
        expect({ status, code: body.code }).toEqual({ status: 403, code: 'admin_required' });
      }
    });

    it('tells a member without its scope of the scope', async () => {
      const scopes = SCOPES.filter((scope) => scope !== endpoint.scope);
      const lacking = await userWith(scopes, 'member');
      expect((await call(lacking, endpoint)).body.code).toBe('insufficient_scope');
    });
  } else {
    it('is for members too', async () => {
      const ofMember = () => (method === 'GET' ? keptOf(endpoint) : resourceOf(endpoint, member));
      const { status } = await call(member, endpoint, isLocated ? await ofMember() : undefined);
      expect(status).toBe(CREATES.has(operationId) ? 201 : 200);
    });
  }

  if (OF_MEMBERS.has(operationId) && isLocated) {
    it("leaves another user's to that user, and an entry to admins as well", async () => {
      const { status, body } = await call(member, endpoint, await keptOf(endpoint));
      const isTimer = path.includes('/timer/');
      expect({ status, code: body.code }).toEqual(
        isTimer ? { status: 404, code: 'not_found' } : { status: 403, code: 'not_yours' },
      );
      const asAdmin = await call(ana, endpoint, await resourceOf(endpoint, member));
      expect(asAdmin.status).toBe(isTimer ? 404 : 200);
    });
  }
});

describe.each(open.map((endpoint) => [title(endpoint), endpoint] as const))('%s', (_title, endpoint) => {
  it.each(SCOPES)('answers 200 with a key that has no scope but %s', async (scope) => {
    const ana = await userWith([scope]);
    expect((await call(ana, endpoint)).status).toBe(200);
  });
});

describe.each(located.map((endpoint) => [title(endpoint), endpoint] as const))('%s', (_title, endpoint) => {
  it("answers another organization's id exactly like one that does not exist", async () => {
    const id = await keptOf(endpoint);
    const foreign = await call(eve, endpoint, id);
    const missing = await call(eve, endpoint);
    expect(foreign.status).toBe(404);
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(missing));
    expect(withoutRequestId(await call(eve, endpoint, 'not-a-uuid'))).toEqual(withoutRequestId(missing));
    if (endpoint.method === 'GET') return;
    const unread = await eve.send(endpoint.method, pathTo(endpoint.path, id), { rawBody: '{' });
    expect(unread.status, 'before its body is looked at').toBe(404);
  });

  it('leaves the resource to its owner, who finds it by its id in any case', async () => {
    const reply = await call(ana, endpoint, (await resourceOf(endpoint, ana)).toUpperCase());
    const { response } = endpoint;
    const created = response.kind === 'rehearsable' ? 201 : 200;
    expect(reply.status).toBe(response.kind === 'resource' ? response.status : created);
  });
});

/** Endpoints share the users: they leave nothing to each other but lists that get longer. */
function userWith(scopes: readonly Scope[], role?: Role): Promise<User> {
  const name = `${role} ${scopes.join()}`;
  const user = users.get(name) ?? given.user({ scopes, organization: ana.organization, role });
  users.set(name, user);
  return user;
}

const users = new Map<string, Promise<User>>();

/** What the path of an endpoint names: one for all tests that leave it as it is. */
function keptOf(endpoint: Endpoint, by: Client = ana): Promise<string> {
  const id = kept.get(endpoint.path) ?? resourceOf(endpoint, by);
  kept.set(endpoint.path, id);
  return id;
}

const kept = new Map<string, Promise<string>>();

it.each(bodied)('$method $path answers 422 to a body that is no object, and says so', async (endpoint) => {
  const signedInOr = endpoint.takesKeys === false ? signedIn.admin : ana;
  const by = isOfPlatform(endpoint.scope) ? platform : signedInOr;
  const id = parameterNames(endpoint.path).length > 0 ? await keptOf(endpoint, by) : '';
  const { status, body } = await by.send(endpoint.method, pathTo(endpoint.path, id), { body: [] });
  const errors = [{ path: '', message: 'Expected an object.', code: 'type' }];
  expect({ status, code: body.code, errors: body.errors }).toEqual({
    status: 422,
    code: 'validation_failed',
    errors,
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
