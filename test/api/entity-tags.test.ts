import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  isOfPlatform,
  matchedSchema,
  parameterNames,
  taggedSchema,
  takesIdempotencyKey,
} from '#shared/contract/endpoint.ts';
import { updateProject } from '#shared/contract/tracker/update-project.ts';
import { routes } from '#shared/routes.ts';
import type { Reply } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';
import { pathTo, readOf, resourceOf, tagFor } from '#test/support/resources.ts';

/** `ETag`, `If-Match` and `If-None-Match`; `tag-races.test.ts` has many at once. */

/** What can be read and patched at one path. */
const patchable = routes.filter((route) => route.method === 'PATCH' && readOf(route)?.path === route.path);

/** Every other operation whose path names what can be read, or a timer. */
const steps = routes.filter((route) => matchedSchema(route) && !patchable.some(({ path }) => path === route.path));

const OTHER = '"another"';

const tag = ({ headers }: Reply): string => headers.get('etag') ?? '';

const ENTRIES = '/v1/work/tracker/entries';

describe('tags in the route table', () => {
  it('are those of what has a path of its own, and of timers', () => {
    expect(patchable.length).toBeGreaterThanOrEqual(5);
    for (const route of routes.filter(({ method }) => method !== 'GET' && method !== 'PUT')) {
      const read = readOf(route);
      const isTimer = route.path.includes('/timer/{');
      expect(matchedSchema(route) !== undefined, route.operationId).toBe(read !== undefined || isTimer);
      if (read) expect(matchedSchema(route), route.operationId).toBe(taggedSchema(read));
    }
  });
});

describe.each(patchable.map((endpoint) => [endpoint.path, endpoint] as const))('%s', (_path, endpoint) => {
  let ana: User;
  let path: string;

  beforeAll(async () => {
    ana = await given.user();
  });

  async function fresh(): Promise<Reply> {
    path = endpoint.path;
    // What has no id is there once for each organization.
    if (parameterNames(path).length === 0) ana = await given.user();
    else path = path.replace(/\{\w+\}/, await resourceOf(endpoint, ana));
    return ana.get(path);
  }

  const send = (method: string, headers: Record<string, string>, body?: unknown) =>
    ana.send(method, path, { headers, body });

  const patch = (ifMatch: string, body = endpoint.example.body) => send('PATCH', { 'if-match': ifMatch }, body);

  it('has a strong tag, the same until it changes, and the answer of the change has that of the next read', async () => {
    const before = await fresh();
    expect(tag(before)).toMatch(/^"[\w-]{43}"$/);
    expect(tag(await ana.get(path))).toBe(tag(before));
    const changed = await ana.patch(path, endpoint.example.body);
    expect(changed.status).toBe(200);
    expect(tag(changed)).not.toBe(tag(before));
    expect(tag(await ana.get(path))).toBe(tag(changed));
  });

  it('changes once, with one event, where the same is sent again, or nothing', async () => {
    const { id } = (await fresh()).body.data;
    const after = await presentEnd(ana);
    const changed = await ana.patch(path, endpoint.example.body);
    const others = endpoint === updateProject ? [] : [{}, { surprise: true }];
    for (const body of [endpoint.example.body, changed.body.data, ...others]) {
      const same = await ana.patch(path, body);
      expect([same.status, tag(same), same.body], JSON.stringify(body)).toEqual([200, tag(changed), changed.body]);
    }
    const happened = (await happenedSince(ana, after)).map(([type, object]) => [type, object.id]);
    expect(happened).toEqual((endpoint.events ?? []).map((type) => [type, id]));
  });

  it('is answered 304 without a body to whoever has it', async () => {
    const etag = tag(await fresh());
    for (const value of [etag, '*', `${OTHER}, ${etag}`, `W/${etag}`, `,, ${etag} ,`]) {
      const reply = await send('GET', { 'if-none-match': value });
      expect({ status: reply.status, body: reply.body, etag: tag(reply) }, value).toEqual({
        status: 304,
        body: '',
        etag,
      });
      expect(reply.headers.get('ratelimit')).not.toBeNull();
    }
    for (const value of [OTHER, `W/${OTHER}`, '""']) {
      const { status, body } = await send('GET', { 'if-none-match': value });
      expect({ status, isShown: body.data !== undefined }, value).toEqual({ status: 200, isShown: true });
    }
  });

  it('is changed by who has its tag, and 412 leaves it to others as it was', async () => {
    const before = await fresh();
    for (const value of [OTHER, `W/${tag(before)}`, `${OTHER},W/${tag(before)}`]) {
      const reply = await patch(value);
      expect(reply.status, value).toBe(412);
      expect(reply.body.code).toBe('precondition_failed');
    }
    expect((await ana.get(path)).body).toEqual(before.body);
    const changed = await patch(`${OTHER}, ${tag(before)}`);
    expect(changed.status).toBe(200);
    expect((await patch(tag(before))).status).toBe(412);
    expect((await patch('*')).status).toBe(200);
  });

  it('is deleted by who has its tag, and by nobody else', async () => {
    const before = await fresh();
    if (!routes.some((route) => route.path === endpoint.path && route.method === 'DELETE')) return;
    expect((await send('DELETE', { 'if-match': OTHER })).status).toBe(412);
    expect((await ana.get(path)).body).toEqual(before.body);
    expect((await send('DELETE', { 'if-match': tag(before) })).status).toBe(200);
    // A removed user is still shown.
    const second = endpoint.path === '/v1/users/{id}' ? 409 : 404;
    expect((await send('DELETE', { 'if-match': '*' })).status).toBe(second);
    await fresh();
    expect((await send('DELETE', { 'if-match': '*' })).status).toBe(200);
  });

  it('checks existence before the tag, and the tag before the body', async () => {
    await fresh();
    expect((await send('PATCH', { 'if-match': OTHER }, 7)).status).toBe(412);
    if (parameterNames(endpoint.path).length === 0) return;
    path = endpoint.path.replace(/\{\w+\}/, randomUUID());
    for (const value of [OTHER, '*', 'malformed']) expect((await patch(value)).status).toBe(404);
  });

  it('refuses a malformed header by its name', async () => {
    await fresh();
    for (const value of ['', 'abc']) {
      const replies = [await patch(value), await send('GET', { 'if-none-match': value })];
      expect(
        replies.map(({ status }) => status),
        value,
      ).toEqual([422, 422]);
      expect(replies.map(({ body }) => body.errors[0].path)).toEqual(['If-Match', 'If-None-Match']);
    }
  });
});

describe('a tag', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  const tagAt = async (path: string) => tag(await ana.get(path));

  it('of an entry changes with the name of its client, and when it is billed', async () => {
    const client = await given.client(ana);
    const entry = await given.entry(ana, { clientId: client.id, rate: 10 });
    const path = `${ENTRIES}/${entry.id}`;
    const tags = [await tagAt(path)];
    await ana.patch(`/clients/${client.id}`, { name: 'Renamed' });
    tags.push(await tagAt(path));
    const timeEntries = { dateFrom: '2026-11-20', dateTo: '2026-11-20', groupBy: 'entry' };
    await given.invoice(ana, { clientId: client.id, timeEntries });
    tags.push(await tagAt(path));
    expect(new Set(tags).size).toBe(3);
    const headers = { 'if-match': tags[0] ?? '' };
    const stale = await ana.send('PATCH', path, { headers, body: { description: 'Other' } });
    expect(stale.status, 'before the 409 of an invoiced entry').toBe(412);
    const current = { 'if-match': tags[2] ?? '' };
    expect((await ana.send('PATCH', path, { headers: current, body: { description: 'Other' } })).status).toBe(409);
  });

  it('of an invoice is that of each step', async () => {
    const invoice = await given.invoice(ana);
    const sent = await ana.post(`/invoices/${invoice.id}/send`);
    expect(tag(sent)).toBe(await tagAt(`/invoices/${invoice.id}`));
  });

  it('is on a timer from its start, and on no timer', async () => {
    const active = '/v1/work/tracker/timer/active';
    const none = await tagAt(active);
    const started = await ana.post('/v1/work/tracker/timer/start');
    expect([none, tag(started)]).toEqual([expect.stringMatching(/^"/), await tagAt(active)]);
    expect(tag(started)).not.toBe(none);
  });

  it('is not on lists, and not on the caller', async () => {
    const replies = [await ana.get('/products'), await ana.get('/v1/me')];
    expect(replies.map(tag)).toEqual(['', '']);
    const changed = await ana.send('PATCH', '/v1/me', { headers: { 'if-match': OTHER }, body: { timeZone: null } });
    expect(changed.status).toBe(200);
  });
});

it.each(steps.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  '%s does nothing with another tag or a malformed one, and what is asked with the present one, once',
  async (_id, endpoint) => {
    const ana = await given.user();
    const by = isOfPlatform(endpoint.scope) ? await given.platform() : ana;
    const path = pathTo(endpoint.path, await resourceOf(endpoint, ana));
    const send = (headers: Record<string, string>) =>
      by.send(endpoint.method, path, { headers, body: endpoint.example.body });
    const present = () => tagFor(endpoint, path, by);
    const before = await present();
    const after = await presentEnd(ana);
    const key: Record<string, string> = takesIdempotencyKey(endpoint) ? { 'idempotency-key': randomUUID() } : {};
    for (const value of [OTHER, `W/${before}`]) {
      const refused = await send({ ...key, 'if-match': value });
      expect([refused.status, refused.body.code]).toEqual([412, 'precondition_failed']);
    }
    const malformed = await send({ 'if-match': 'abc' });
    expect([malformed.status, malformed.body.errors[0].path]).toEqual([422, 'If-Match']);
    expect([await present(), await happenedSince(ana, after)]).toEqual([before, []]);
    // The refusal is not kept under the key, and the header is no part of the request.
    const done = await send({ ...key, 'if-match': `${OTHER}, ${before}` });
    expect(done.status).toBeLessThan(300);
    if (!takesIdempotencyKey(endpoint)) return;
    const again = await send({ ...key, 'if-match': OTHER });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([done.status, 'true']);
  },
);
