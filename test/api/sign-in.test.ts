import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { leasePersonTokens, leaseUserTokens } from '#shared/caller/buckets.ts';
import { createApiKey } from '#shared/contract/keys/create-api-key.ts';
import { getMe } from '#shared/contract/organization/get-me.ts';
import { apiKeyKey, personPartition, userBucket } from '#shared/data/layout/keys.ts';
import { database } from '#shared/data/table/database.ts';
import { readItem } from '#shared/data/table/item.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { remove } from '#shared/data/table/writes.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { Client } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { invokeWith } from '#test/support/invoke.ts';
import { addUser, newEmail, signIn } from '#test/support/person.ts';
import { leftAfter } from '#test/support/rate-limit.ts';

/** A user with an email, and the person who has it, and names the organization. */
async function member(role: 'admin' | 'member' = 'admin') {
  const organization = await given.organization('EUR');
  const email = newEmail();
  const userId = await addUser(organization, email, role);
  return { organization, email, userId, person: signIn(email).in(organization.id) };
}

/** By another account, also of another email, at the issuer. */
const anotherOf = (email: string, organizationId: string, claims = {}) =>
  signIn(email, { sub: randomUUID(), ...claims }).in(organizationId);

const FULL = { own: { rateLimit: 600, fullAt: 0 }, family: null };

/** In microseconds. A bucket refills within a test: what is taken in five seconds is missing until then. */
const inFiveSeconds = () => (Date.now() + 5_000) * 1_000;

const refusalOf = async (client: Client) => {
  const { status, body } = await client.get('/v1/me');
  const { requestId: _, ...problem } = body;
  return { status, ...problem };
};

describe('a person who has signed in', () => {
  it('acts as the user with its verified email, whatever the case of that', async () => {
    const { organization, email, userId } = await member();
    const { status, body } = await anotherOf(email.toUpperCase(), organization.id).get('/v1/me');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      keyId: null,
      keyName: null,
      organizationId: organization.id,
      organizationName: organization.name,
      organizationTimeZone: null,
      userId,
      userName: `User ${userId}`,
      email,
      role: 'admin',
      timeZone: null,
      scopes: SCOPES,
      rateLimit: 600,
      expiresAt: null,
      currency: 'EUR',
    });
  });

  it('has the scopes of its role', async () => {
    const { person } = await member('member');
    const { scopes, role } = (await person.get('/v1/me')).body.data;
    expect({ scopes, role }).toEqual({
      scopes: ['products:read', 'clients:read', 'tracker:read', 'tracker:write', 'events:read'],
      role: 'member',
    });
    expect((await person.get('/invoices')).body).toMatchObject({
      code: 'insufficient_scope',
      detail: 'The caller lacks the scope invoices:read.',
    });
    expect((await person.post('/v1/work/tracker/timer/start')).status).toBe(201);
  });

  it('stays linked to its user when its email changes at the issuer, is withdrawn, or is no longer verified', async () => {
    const { email, userId, person } = await member();
    expect((await person.get('/v1/me')).status).toBe(200);
    for (const claims of [{ email: newEmail() }, { email: undefined }, { email_verified: false }]) {
      expect((await signIn(email, claims).get('/v1/me')).body.data.userId).toBe(userId);
    }
  });

  it('is not a member when nobody has its email, and is told so', async () => {
    const { organization } = await member();
    const stranger = signIn(newEmail());
    expect(await refusalOf(stranger)).toMatchObject({ status: 400, code: 'organization_required' });
    expect(await refusalOf(stranger.in(organization.id))).toMatchObject({
      status: 403,
      code: 'not_a_member',
      detail: expect.stringContaining('No active user has your email.'),
    });
    expect((await stranger.get('/v1/me/organizations')).body).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it('gets the same words for an organization of others, for none, and for what is no id', async () => {
    const { person } = await member();
    const { id: foreign } = await given.organization();
    const [first, ...others] = await Promise.all(
      [foreign, randomUUID(), 'acme', `${foreign}0`, foreign.replaceAll('-', ''), ''].map((id) =>
        refusalOf(person.in(id)),
      ),
    );
    expect(first).toMatchObject({ status: 403, code: 'not_a_member' });
    for (const other of others) expect(other).toEqual(first);
  });

  it('never acts for the platform, whether or not it belongs to an organization', async () => {
    const { person, organization } = await member();
    for (const by of [person, person.in(organization.id), person.in(randomUUID()), signIn(newEmail())]) {
      const { status, body } = await by.get('/v1/organizations');
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'insufficient_scope' });
      expect(body.detail).toContain('organizations:read');
    }
    expect((await new Client('a.b.c').get('/v1/organizations')).body.code).toBe('invalid_token');
  });

  it('writes nowhere without naming an organization, whoever has added its email, until it is linked', async () => {
    const { organization, email, person } = await member();
    const entry = { description: 'Confidential', entryDate: '2026-11-20', durationMinutes: 5 };
    const book = (by: Client) => by.post('/v1/work/tracker/entries', entry);
    const unnamed = signIn(email);
    const refused = await book(unnamed);
    expect({ status: refused.status, code: refused.body.code, errors: refused.body.errors }).toEqual({
      status: 400,
      code: 'organization_required',
      errors: [{ path: 'Billwright-Organization', message: expect.any(String), code: 'organization_required' }],
    });
    const employer = await given.organization();
    await addUser(employer, email);
    expect((await book(unnamed)).body.code).toBe('organization_required');
    expect((await book(unnamed.in(employer.id))).status).toBe(201);
    expect((await unnamed.get('/v1/me')).body.data.organizationId).toBe(employer.id);
    const ana = await given.user({ organization });
    expect((await ana.get('/v1/work/tracker/entries')).body.meta.total).toBe(0);
    expect((await book(person)).status).toBe(201);
  });

  it('is offered the organizations that know its email, and is linked in those that it names', async () => {
    const { organization: first, email, userId } = await member();
    const second = await given.organization();
    const secondUser = await addUser(second, email, 'member');
    const person = signIn(email);
    const offered = async () => (await person.get('/v1/me/organizations')).body;
    const listed = (linkedInFirst: boolean, linkedInSecond: boolean) => [
      { id: second.id, name: second.name, userId: secondUser, role: 'member', linked: linkedInSecond },
      { id: first.id, name: first.name, userId, role: 'admin', linked: linkedInFirst },
    ];
    expect(await offered()).toEqual({ data: listed(false, false), meta: { total: 2, limit: 50, offset: 0 } });
    expect(await refusalOf(person)).toMatchObject({
      detail: expect.stringContaining('You are linked to no organization yet'),
      errors: [{ path: 'Billwright-Organization' }],
    });
    expect((await person.in(second.id).get('/v1/me')).body.data.userId).toBe(secondUser);
    expect((await offered()).data).toEqual(listed(false, true));
    expect((await person.get('/v1/me')).body.data.userId).toBe(secondUser);
    expect((await person.in(first.id).get('/v1/me')).body.data.userId).toBe(userId);
    expect((await offered()).data).toEqual(listed(true, true));
    expect((await person.get('/v1/me/organizations', { limit: 1, offset: 1 })).body).toMatchObject({
      data: [{ id: first.id }],
      meta: { total: 2 },
    });
    const named = signIn(email, { sub: randomUUID() });
    await Promise.all([first, second].map(({ id }) => named.in(id).get('/v1/me')));
    expect(await refusalOf(named)).toMatchObject({
      status: 400,
      code: 'organization_required',
      detail: expect.stringContaining('You belong to several organizations'),
    });
  });

  it('books its own time, and the answer is kept for its user, by whatever token it asks again', async () => {
    const { organization, email, userId, person } = await member('member');
    const entry = { description: 'Workshop', entryDate: '2026-11-20', durationMinutes: 60 };
    const headers = { 'idempotency-key': randomUUID() };
    const book = (person: Client) => person.send('POST', '/v1/work/tracker/entries', { body: entry, headers });
    const first = await book(person);
    const again = await book(anotherOf(email, organization.id));
    expect(first.body.data.userId).toBe(userId);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('has 600 requests a minute, together with all tokens of its user', async () => {
    const { email, organization, userId, person } = await member();
    const { headers } = await person.get('/v1/me');
    expect(headers.get('ratelimit-policy')).toBe('"default";q=600;w=60');
    expect((await leaseUserTokens(userBucket(organization.id, userId), 600, inFiveSeconds(), FULL))?.tokens).toBe(600);
    const { status, body } = await anotherOf(email, organization.id).get('/v1/me');
    expect({ status, code: body.code }).toEqual({ status: 429, code: 'rate_limited' });
    expect(body.detail).toContain('A user who has signed in has 600 requests a minute');
  });

  describe('has a bucket of its own for what it asks as no user', () => {
    const { iss } = JSON.parse(Buffer.from(signIn(newEmail()).token.split('.')[1] ?? '', 'base64url').toString());
    const bucketOf = (sub: string) => personPartition(iss, sub);
    const empty = (sub: string) => leasePersonTokens(bucketOf(sub), 600, inFiveSeconds(), FULL);

    it.each([
      ['for its organizations', '/v1/me/organizations', 200],
      ['when it names no organization', '/v1/me', 400],
      ['for the platform', '/v1/organizations', 403],
    ])('%s', async (_, path, status) => {
      const sub = randomUUID();
      const stranger = () => signIn(newEmail(), { sub });
      const first = await stranger().get(path);
      expect(first.status).toBe(status);
      expect(first.headers.get('ratelimit-policy')).toBe('"default";q=600;w=60');
      expect(leftAfter(first)).toBeLessThan(600);
      const key = apiKeyKey(bucketOf(sub));
      const { expiresAtEpochSeconds } = (await readItem(key)) ?? {};
      expect(Number(expiresAtEpochSeconds) * 1_000 - Date.now()).toBeGreaterThan(86_000_000);
      expect((await empty(sub))?.tokens).toBe(600);
      const refused = await stranger().in(randomUUID()).get(path);
      expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 429, code: 'rate_limited' });
      expect(refused.body.detail).toContain('A person who has signed in, and acts as no user, has 600 requests');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    });

    it('when it must name an organization, and its users have theirs', async () => {
      const { email, organization } = await member();
      const person = signIn(email);
      const other = await given.organization();
      await addUser(other, email, 'member');
      const unnamed = await person.get('/v1/me');
      expect(unnamed.body.code).toBe('organization_required');
      expect(leftAfter(unnamed)).toBeLessThan(600);
      for (const { id } of [organization, other]) expect((await person.in(id).get('/v1/me')).status).toBe(200);
      await empty(email);
      expect((await person.get('/v1/me/organizations')).status).toBe(429);
      expect((await person.get('/v1/me')).status).toBe(429);
      expect((await person.in(organization.id).get('/v1/me')).status).toBe(200);
    });

    it('which is made again once it is gone', async () => {
      const sub = randomUUID();
      const stranger = signIn(newEmail(), { sub });
      expect((await stranger.get('/v1/me')).status).toBe(400);
      await transact([remove(apiKeyKey(bucketOf(sub)))]);
      for (let request = 0; request < 5; request++) expect((await stranger.get('/v1/me')).status).toBe(400);
    });

    it('and nothing is read for it while that is empty', async () => {
      const sub = randomUUID();
      const { token } = signIn(newEmail(), { sub });
      const ask = () => invokeWith(getMe, `Bearer ${token}`, {});
      expect((await ask()).status).toBe(400);
      await empty(sub);
      await ask();
      const sent = vi.spyOn(database, 'send');
      expect((await ask()).status).toBe(429);
      expect(sent).not.toHaveBeenCalled();
    });
  });

  it('makes keys that share the limit of its user', async () => {
    const { organization, userId, person } = await member();
    await person.get('/v1/me');
    await leaseUserTokens(userBucket(organization.id, userId), 300, Date.now() * 1_000, FULL);
    const { apiKey, createdByKeyId, rateLimit } = await given.apiKey(person, { scopes: ['products:read'] });
    expect({ createdByKeyId, rateLimit }).toEqual({ createdByKeyId: null, rateLimit: 600 });
    const reply = await new Client(apiKey).get('/v1/me');
    expect(reply.body.data).toMatchObject({ userId, scopes: ['products:read'], expiresAt: null });
    expect(leftAfter(reply)).toBeLessThan(599);
    const nobody = { name: 'Lost', scopes: ['products:read'], userId: randomUUID() };
    expect((await person.post('/v1/api-keys', nobody)).body.code).toBe('reference_not_found');
  });

  it.each([
    ['another user', 'its user is removed', false, ''],
    ['its own user', 'its user is removed', true, ''],
    ['another user', 'its sign-ins are ended', false, '/sign-ins'],
    ['its own user', 'its sign-ins are ended', true, '/sign-ins'],
  ])('makes no key for %s when %s at that moment', async (_, _end, isOwn, end) => {
    const { email, userId, organization } = await member();
    const ana = await given.user({ organization });
    const { token } = signIn(email);
    const body = { name: 'Later', scopes: ['products:read'], userId: isOwn ? userId : ana.userId };
    const headers = { 'billwright-organization': organization.id };
    const make = () => invokeWith(createApiKey, `Bearer ${token}`, { body, headers });
    expect((await make()).status).toBe(201);
    beforeCalls((command) => command instanceof TransactWriteCommand, [() => ana.delete(`/v1/users/${userId}${end}`)]);
    const { status, body: problem } = await make();
    expect({ status, code: problem.code }).toEqual({ status: 403, code: 'not_a_member' });
    expect((await ana.get('/v1/api-keys')).body.meta.total).toBe(isOwn && !end ? 1 : 2);
  });

  it('costs a warm function mostly no more than what the operation reads', async () => {
    const { email, organization } = await member();
    const { token } = signIn(email);
    const headers = { 'billwright-organization': organization.id };
    const calls: number[] = [];
    for (let request = 0; request < 12; request++) {
      const sent = vi.spyOn(database, 'send');
      expect((await invokeWith(getMe, `Bearer ${token}`, { headers })).status).toBe(200);
      calls.push(sent.mock.calls.length);
      sent.mockRestore();
    }
    expect(calls.filter((count) => count === 1).length).toBeGreaterThan(5);
  });

  it('is told that it is no member by a function that still knows it, once its user or its organization ends', async () => {
    const platform = await given.platform();
    const [first, second] = [await member(), await member()];
    const ana = await given.user({ organization: first.organization });
    const codes = async ({ person }: typeof first) =>
      Promise.all(['/v1/me', '/v1/organization'].map(async (path) => (await person.get(path)).body.code));
    for (const each of [first, second]) {
      for (let request = 0; request < 5; request++) expect(await codes(each)).toEqual([undefined, undefined]);
    }
    await ana.delete(`/v1/users/${first.userId}`);
    expect((await first.person.get('/v1/me')).body.code).toBe('not_a_member');
    await platform.delete(`/v1/organizations/${second.organization.id}`);
    expect(await codes(second)).toEqual(['not_a_member', 'not_a_member']);
  });

  it('is no other than a key in that both may name their own organization, in any case', async () => {
    const ana = await given.user();
    const { id, name } = ana.organization;
    for (const path of ['/v1/me', '/v1/me/organizations', '/clients']) {
      const named = await ana.send('GET', path, { headers: { 'billwright-organization': id.toUpperCase() } });
      expect(named.status).toBe(200);
    }
    const { person, organization } = await member();
    expect((await person.in(organization.id.toUpperCase()).get('/v1/me')).status).toBe(200);
    expect((await ana.get('/v1/me/organizations')).body.data).toEqual([
      { id, name, userId: ana.userId, role: 'admin', linked: true },
    ]);
    const empty = await ana.send('GET', '/v1/me', { headers: { 'billwright-organization': '' } });
    expect({ status: empty.status, code: empty.body.code }).toEqual({ status: 403, code: 'not_a_member' });
  });
});

describe.concurrent('a person whom functions know', { timeout: 40_000 }, () => {
  /** Changes show within 30 seconds. */
  const soon = (ask: () => Promise<unknown>, wanted: unknown) =>
    vi.waitFor(async () => expect(await ask()).toEqual(wanted), { timeout: 30_000, interval: 500 });

  const codeFor = async (person: Client, path = '/v1/me') => (await person.get(path)).body.code;

  /** From then on the function has tokens of the person for some seconds. */
  async function meet(person: Client, path?: string): Promise<void> {
    for (let request = 0; request < 5; request++) expect(await codeFor(person, path)).toBeUndefined();
  }

  it('is no member any more once its organization is deleted, whether it names it or not', async () => {
    const { organization, email, person } = await member();
    const unnamed = signIn(email);
    for (const by of [person, unnamed]) await meet(by);
    expect((await (await given.platform()).delete(`/v1/organizations/${organization.id}`)).status).toBe(202);
    const refusals = ['not_a_member', 'organization_required'];
    await soon(() => Promise.all([person, unnamed].map((by) => codeFor(by))), refusals);
  });

  it.each<[string, (by: Client, userId: string) => Promise<unknown>]>([
    ['the email of its user is corrected', (by, id) => by.patch(`/v1/users/${id}`, { email: newEmail() })],
    ['its sign-ins are ended', (by, id) => by.delete(`/v1/users/${id}/sign-ins`)],
  ])('is out, whether or not it names the organization, once %s', async (_, end) => {
    const { organization, email, userId, person } = await member();
    const ana = await given.user({ organization });
    // Nobody has its email any more, so that it is not linked anew.
    const stranger = signIn(email, { email_verified: false });
    for (const by of [person, stranger]) await meet(by);
    expect((await ana.get(`/v1/users/${userId}`)).body.data.signIns).toBe(1);
    await end(ana, userId);
    // One after the other: two at once would be asked of two instances, of which one may know the person for longer.
    const named = stranger.in(organization.id);
    const ended = expect.stringContaining('Your link to one has ended.');
    await soon(async () => (await named.get('/v1/me')).body.detail, ended);
    await soon(() => codeFor(stranger), 'organization_required');
    expect((await ana.get(`/v1/users/${userId}`)).body.data.signIns).toBe(0);
  });
});
