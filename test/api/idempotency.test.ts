import { randomUUID } from 'node:crypto';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { MAX_KEPT_ANSWERS } from '#shared/data/idempotency/kept-count.ts';
import { MAX_KEPT_REFUSALS } from '#shared/data/idempotency/ring.ts';
import { idempotencyKey, keptAnswerPartition, keptCountKey, keptHours, ringKey } from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { readItem } from '#shared/data/table/item.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { remove } from '#shared/data/table/writes.ts';
import { REMOTE } from '#test/search/work/vocabulary.ts';
import { Client, isReplayed, type Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { useLog } from '#test/support/log.ts';

/** `Idempotency-Key`: what a caller may rely on. `test/data/idempotency` has what happens when functions die. */

const PRODUCT = { name: 'Consulting', price: '120.00' };

const CLIENTS = '/clients';

function post(
  by: Client,
  path: string,
  key: string,
  body?: unknown,
  query = {},
  more?: Record<string, string>,
): Promise<Reply> {
  return by.send('POST', path, { body, query, headers: { 'idempotency-key': key, ...more } });
}

const told = ({ status, body }: Reply) => ({ status, body: { ...body, requestId: undefined } });

const { written, recordLog } = useLog();

describe('Idempotency-Key', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  const count = async (by: Client, path: string) => (await by.get(path)).body.meta.total;

  it('answers the same request again with the same status and body, and acts once', async () => {
    const bea = await given.user();
    const key = randomUUID();
    const [first, second, third] = [
      await post(bea, '/products', key, PRODUCT),
      await post(bea, '/products', key, PRODUCT),
      await post(bea, '/products', key, PRODUCT),
    ];
    expect(first.status).toBe(201);
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect([first, second, third].map(isReplayed)).toEqual([false, true, true]);
    expect(first.headers.get('etag')).toMatch(/^"/);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(await count(bea, '/products')).toBe(1);
  });

  it('compares a body by its bytes, whether the gateway hands them over as text or not', async () => {
    const key = randomUUID();
    const send = (type: string) => post(ana, '/products', key, PRODUCT, {}, { 'content-type': type });
    const [asText, asBytes] = [await send('application/json'), await send('application/merge-patch+json')];
    expect([asText.status, isReplayed(asBytes)]).toEqual([201, true]);
  });

  it('keeps the answer as it was, whatever has become of what it tells', async () => {
    const key = randomUUID();
    const first = await post(ana, CLIENTS, key, { name: 'Northwind' });
    await ana.patch(`${CLIENTS}/${first.body.data.id}`, { name: 'Southwind' });
    await ana.delete(`${CLIENTS}/${first.body.data.id}`);
    expect((await post(ana, CLIENTS, key, { name: 'Northwind' })).body).toEqual(first.body);
  });

  it.each([
    ['422 of form', '/products', { name: 'x' }, 422],
    ['400 for a body that does not parse', '/products', undefined, 400],
    ['400 for a reference', '/invoices', { clientId: randomUUID(), lineItems: [{ name: 'x', price: '1' }] }, 400],
    ['413', '/products', { ...PRODUCT, description: 'x'.repeat(1_048_576) }, 413],
    ['415', '/products', PRODUCT, 415, { 'content-type': 'text/plain' }],
  ])('keeps no %s', async (_, path, body, status, headers?: Record<string, string>) => {
    const key = randomUUID();
    const send = () => post(ana, path, key, body, undefined, headers);
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([status, status]);
    expect(isReplayed(second)).toBe(false);
    expect((await post(ana, '/products', key, PRODUCT)).status).toBe(201);
  });

  it('answers a 409 where another has its refusal to keep, and a 503 where nobody can keep it', async () => {
    const path = `/invoices/${randomUUID()}/send`;
    const keeps = (command: object) =>
      command instanceof UpdateCommand && command.input.UpdateExpression?.startsWith('SET answer') === true;
    const refused = async (happen: (key: string) => Promise<unknown>) => {
      const key = randomUUID();
      beforeCalls(keeps, [() => happen(key)]);
      const { status, body } = await post(ana, path, key);
      vi.restoreAllMocks();
      return [status, body.code];
    };
    const end = (key: string) => transact([remove(idempotencyKey(ana.organization.id, ana.userId, key))]);
    expect(await refused(end)).toEqual([409, 'idempotency_in_progress']);
    expect(await refused(() => Promise.reject(new Error('gone')))).toEqual([503, 'temporarily_unavailable']);
  });

  it('keeps a 404, but for the request id', async () => {
    const key = randomUUID();
    const path = `/invoices/${randomUUID()}/send`;
    const [first, second] = [await post(ana, path, key), await post(ana, path, key)];
    expect(first.status).toBe(404);
    expect(isReplayed(second)).toBe(true);
    expect(told(second)).toEqual(told(first));
    expect(second.body.requestId).toBe(second.headers.get('x-request-id'));
    expect(second.body.requestId).not.toBe(first.body.requestId);
  });

  it('keeps a 409 with all that it says, even when the conflict is over', async () => {
    const bea = await given.user();
    const running = await given.timer(bea);
    const key = randomUUID();
    const first = await post(bea, '/v1/work/tracker/timer/start', key);
    expect(first.body).toMatchObject({ code: 'timer_already_running', session: { id: running.id } });
    await bea.post(`/v1/work/tracker/timer/${running.id}/discard`);
    expect(told(await post(bea, '/v1/work/tracker/timer/start', key))).toEqual(told(first));
    expect((await bea.get('/v1/work/tracker/timer/active')).body.data).toBeNull();
  });

  it('keeps no 401, 403 or 429', async () => {
    const key = randomUUID();
    const { organization } = ana;
    const name = `User ${randomUUID()}`;
    const reader = await given.user({ organization, name, scopes: ['products:read'] });
    const writer = await given.user({ organization, name, rateLimit: 1 });
    expect((await post(new Client(), '/products', key, PRODUCT)).status).toBe(401);
    expect((await post(reader, '/products', key, PRODUCT)).status).toBe(403);
    expect((await post(writer, '/products', randomUUID(), PRODUCT)).status).toBe(201);
    expect((await post(writer, '/products', key, PRODUCT)).status).toBe(429);
    const other = await given.user({ organization, name });
    expect((await post(other, '/products', key, PRODUCT)).status).toBe(201);
  });

  it('keeps no 401 or 429 of a request that weighs more than was paid when it began', async () => {
    const { organization } = ana;
    const name = `User ${randomUUID()}`;
    const key = randomUUID();
    const body = { origin: 'sheet', rows: Array(50).fill({ date: '2026-11-20', durationMinutes: 30 }) };
    const importBy = (by: User) => post(by, '/v1/work/tracker/imports', key, body);
    const poor = await given.user({ organization, name, rateLimit: 2 });
    expect((await poor.get('/products')).status).toBe(200);
    expect((await importBy(poor)).status).toBe(429);
    const revoked = await given.user({ organization, name });
    beforeCalls((command) => command instanceof PutCommand, [() => ana.delete(`/v1/api-keys/${revoked.keyId}`)]);
    expect((await importBy(revoked)).status).toBe(401);
    expect((await importBy(await given.user({ organization, name }))).status).toBe(200);
  });

  it('keeps no 412', async () => {
    const path = `/invoices/${(await given.invoice(ana)).id}`;
    const key = randomUUID();
    const sendIf = (tag: string) => post(ana, `${path}/send`, key, undefined, {}, { 'if-match': tag });
    expect((await sendIf('"other"')).status).toBe(412);
    expect((await sendIf((await ana.get(path)).headers.get('etag') ?? '')).status).toBe(200);
  });

  it('keeps no refusal of a member, who may be an admin by then', async () => {
    const ben = await given.user({ organization: ana.organization, role: 'member' });
    const body = { userId: ana.userId, description: 'x', entryDate: '2026-11-20', durationMinutes: 1 };
    const key = randomUUID();
    const send = () => post(ben, '/v1/work/tracker/entries', key, body);
    expect(await send()).toMatchObject({ status: 403, body: { code: 'not_yours' } });
    await ana.patch(`/v1/users/${ben.userId}`, { role: 'admin' });
    expect((await send()).status).toBe(201);
  });

  it.each([
    ['another body', '/products', { ...PRODUCT, name: 'Other' }, {}],
    ['another path', CLIENTS, PRODUCT, {}],
    ['another query', '/products', PRODUCT, { a: '1' }],
  ])('refuses %s under the same key, and does nothing', async (_, path, body, query) => {
    const bea = await given.user();
    const key = randomUUID();
    await post(bea, '/products', key, PRODUCT);
    const reply = await post(bea, path, key, body, query);
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ code: 'idempotency_key_reused', errors: [{ path: 'Idempotency-Key' }] });
    expect([await count(bea, '/products'), await count(bea, CLIENTS)]).toEqual([1, 0]);
    expect(isReplayed(await post(bea, '/products', key, PRODUCT))).toBe(true);
  });

  it('belongs to a user of an organization, whichever key of theirs is used that has the scope', async () => {
    const key = randomUUID();
    const name = `User ${randomUUID()}`;
    const { organization } = ana;
    const [first, again, colleague, stranger] = [
      await post(await given.user({ organization, name }), '/products', key, PRODUCT),
      await post(await given.user({ organization, name }), '/products', key, PRODUCT),
      await post(await given.user({ organization }), '/products', key, PRODUCT),
      await post(await given.user({ name }), '/products', key, PRODUCT),
    ];
    expect([first, again, colleague, stranger].map(isReplayed)).toEqual([false, true, false, false]);
    expect(new Set([first, again, colleague, stranger].map(({ body }) => body.data.id)).size).toBe(3);
    const reader = await given.user({ organization, name, scopes: ['products:read'] });
    expect(await post(reader, '/products', key, PRODUCT)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'x'.repeat(256)],
    ['not ASCII', 'schl\u00fcssel'],
    ['with a tab', 'a\tb'],
  ])('is refused where it is malformed, and nothing is begun: %s', async (_, key) => {
    const begun = vi.fn(async () => {});
    beforeCalls((command) => command instanceof PutCommand, [begun]);
    const { status, body } = await post(ana, '/products', key, PRODUCT);
    vi.restoreAllMocks();
    expect(status).toBe(422);
    expect(begun).not.toHaveBeenCalled();
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'Idempotency-Key' }] });
  });

  it.each(['x', '!', 'a b', '~'.repeat(255), randomUUID()])('is taken: %s', async (key) => {
    expect((await post(ana, '/products', key, PRODUCT)).status).toBe(201);
    expect(isReplayed(await post(ana, '/products', key, PRODUCT))).toBe(true);
  });

  it('comes after the existence of the resource, when it is malformed', async () => {
    expect((await post(ana, `/invoices/${randomUUID()}/send`, '')).status).toBe(404);
  });

  it('lets one of twenty requests act at once; the others get its answer, or are told to come back', async () => {
    const bea = await given.user();
    const key = randomUUID();
    const creations = await Promise.all(Array.from({ length: 20 }, () => post(bea, '/products', key, PRODUCT)));
    const acted = creations.filter((reply) => reply.status === 201 && !isReplayed(reply));
    expect(acted).toHaveLength(1);
    for (const reply of creations.filter((each) => each !== acted[0])) {
      if (reply.status === 201) expect(reply.body).toEqual(acted[0]?.body);
      else {
        expect(reply.body).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
    }
    expect(await count(bea, '/products')).toBe(1);
  });

  it('changes nothing where it is not sent, and nothing on other methods', async () => {
    const bea = await given.user();
    await Promise.all([bea.post('/products', PRODUCT), bea.post('/products', PRODUCT)]);
    expect(await count(bea, '/products')).toBe(2);
    const headers = { 'idempotency-key': randomUUID() };
    for (const path of ['/products', CLIENTS]) expect((await bea.send('GET', path, { headers })).status).toBe(200);
  });

  it('has the last 1,000 refusals of a user: one more, and the oldest is forgotten', async () => {
    const bea = await given.user();
    const { id } = await given.invoice(bea);
    const pay = (key: string) => post(bea, `/invoices/${id}/pay`, key);
    const statuses = [await pay('oldest'), await pay('second')].map(({ status }) => status);
    await transact([increase(ringKey(bea.organization.id, bea.userId), { taken: MAX_KEPT_REFUSALS - 2 })]);
    statuses.push((await pay('another')).status);
    expect(statuses).toEqual([409, 409, 409]);
    expect(isReplayed(await pay('second'))).toBe(true);
    expect(isReplayed(await pay('another'))).toBe(true);
    expect(isReplayed(await pay('oldest'))).toBe(false);
  });

  it('is refused with a new key where a user has 10,000 answers that wrote something, and nothing is done', async () => {
    const bea = await given.user();
    const hour = keptCountKey(bea.organization.id, bea.userId, new Date(Date.now() - 23 * 3_600_000).toISOString());
    await transact([increase(hour, { answers: MAX_KEPT_ANSWERS - 1 })]);
    const create = (key: string) => post(bea, '/products', key, PRODUCT);
    expect((await create('last')).status).toBe(201);
    const { status, body, headers } = await create('too many');
    expect([status, body.code]).toEqual([429, 'too_many_kept_answers']);
    const retryAfter = Number(headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(3_600);
    expect(retryAfter).toBeLessThanOrEqual(2 * 3_600);
    expect(isReplayed(await create('last'))).toBe(true);
    expect((await bea.post('/products', PRODUCT)).status).toBe(201);
    expect(await count(bea, '/products')).toBe(2);
    await transact([increase(hour, { answers: -1 })]);
    expect((await create('too many')).status).toBe(201);
  });

  it('counts answers that wrote something, and gives a slot to each of the others that are kept', async () => {
    const bea = await given.user();
    await given.connection(bea);
    const { id: organizationId } = bea.organization;
    const since = new Date();
    const kept = async () => {
      const between = keptHours(since.toISOString(), new Date().toISOString());
      const partition = keptAnswerPartition(organizationId, bea.userId);
      const hours = await readCollection({ partition, between });
      const answers = hours.reduce((sum, hour) => sum + Number(hour.answers), 0);
      return { answers, slots: (await readItem(ringKey(organizationId, bea.userId)))?.taken ?? 0 };
    };
    expect((await post(bea, '/products', 'made', PRODUCT)).status).toBe(201);
    expect(await kept()).toEqual({ answers: 1, slots: 0 });
    expect((await post(bea, `/invoices/${randomUUID()}/send`, 'refused')).status).toBe(404);
    expect((await post(bea, `${REMOTE}/sync/preview`, 'read', {})).status).toBe(200);
    expect((await post(bea, '/products', 'refused for its form', { name: 'x' })).status).toBe(422);
    expect(await kept()).toEqual({ answers: 1, slots: 2 });
    const rows = [{ date: '2026-11-20', durationMinutes: 60 }];
    expect((await post(bea, `${REMOTE}/sync/confirm`, 'made in steps', { rows })).status).toBe(200);
    expect(await kept()).toEqual({ answers: 2, slots: 2 });
  });

  it('keeps no answer that shows a secret, so each request makes its own, whatever it is called', async () => {
    const bea = await given.user();
    const key = randomUUID();
    const make = () => post(bea, '/v1/api-keys', key, { name: 'Second', scopes: ['products:read'] });
    const replies = [await make(), await make()];
    expect(new Set(replies.map(({ body }) => body.data.apiKey)).size).toBe(2);
    expect(replies.map(isReplayed)).toEqual([false, false]);
    expect(await readCollection({ partition: keptAnswerPartition(bea.organization.id, bea.userId) })).toEqual([]);
  });

  it.each([
    ['counted', PRODUCT, 201, UpdateCommand, 'kept answer is not accounted for'],
    ['ended', { name: 'Consulting' }, 422, DeleteCommand, 'attempt is left to its lease'],
  ])('answers all the same where the attempt cannot be %s, and logs it', async (_, body, status, failing, logged) => {
    const key = randomUUID();
    recordLog();
    const fails = () => Promise.reject(new Error('made for a test'));
    beforeCalls((command) => command instanceof failing && JSON.stringify(command.input).includes(ana.userId), [fails]);
    expect((await post(ana, '/products', key, body)).status).toBe(status);
    const failures = written.filter((line) => line.includes('made for a test'));
    expect(failures).toEqual([expect.stringContaining(`"${logged}"`)]);
  });
});
