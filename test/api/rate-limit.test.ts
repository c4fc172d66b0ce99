import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { NEW_KEY_WEIGHT } from '#shared/contract/weight.ts';
import { useInstances } from '#test/support/api.ts';
import { Client, type Json, type Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const leftAfter = ({ headers }: Reply): number =>
  Number(/^"default";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]);

// Each function leases tokens for itself.
useInstances();

describe('rate limit', () => {
  it('allows as many requests as the bucket holds, then answers 429 with Retry-After', async () => {
    const ana = await given.user({ rateLimit: 5 });
    const replies = [];
    for (let i = 0; i < 7; i++) replies.push(await ana.get('/products'));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(replies[0]?.headers.get('ratelimit-policy')).toBe('"default";q=5;w=60');
    expect(replies[0]?.headers.get('ratelimit')).toMatch(/^"default";r=4;t=\d+$/);
    expect(replies[4]?.headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
    const refused = replies[5];
    expect(refused?.body.code).toBe('rate_limited');
    const retryAfter = Number(refused?.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThanOrEqual(10);
    expect(retryAfter).toBeLessThanOrEqual(12);
  });

  it('refills evenly, and Retry-After is long enough', async () => {
    const ana = await given.user({ rateLimit: 60 });
    let reply = await ana.get('/products');
    while (reply.status === 200) reply = await ana.get('/products');
    expect(reply.headers.get('retry-after')).toBe('1');
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await ana.get('/products')).status).toBe(200);
  });

  it('holds one limit over all functions', async () => {
    const ana = await given.user({ rateLimit: 6 });
    const paths = ['/products', '/clients', '/v1/api-keys'];
    const replies = [];
    for (let i = 0; i < 9; i++) replies.push(await ana.get(paths[i % 3] ?? ''));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(6);
  });

  it('counts also what is refused for other reasons, and says so in every authenticated answer', async () => {
    const ana = await given.user({ rateLimit: 5, scopes: ['products:read', 'keys:write'] });
    const replies = [
      await ana.post('/products', {}),
      await ana.get('/products/none'),
      await ana.get('/products', { limit: 0 }),
      await ana.send('POST', '/v1/api-keys', { rawBody: '{' }),
      await ana.get('/products'),
      await ana.get('/products'),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 404, 422, 400, 200, 429]);
    const left = replies.map(({ headers }) => /^"default";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]);
    expect(left.map(Number)).toEqual([4, 3, 2, 1, 0, 0]);
    for (const { headers } of replies) expect(headers.get('ratelimit-policy')).toBe('"default";q=5;w=60');
  });

  it('is one for a key and all that it makes, and a new key begins with what is left', async () => {
    const LIMIT = 20;
    const ana = await given.user({ rateLimit: LIMIT });
    const startedAt = Date.now();
    const made = [await given.apiKey(ana), await given.apiKey(ana), await given.apiKey(ana)];
    const clients = made.map(({ apiKey }) => new Client(apiKey));
    const requests = Array.from({ length: 20 }, () => clients.map((client) => client.get('/products')));
    const replies = await Promise.all(requests.flat());
    const refilled = Math.ceil((Date.now() - startedAt) / (60_000 / LIMIT));
    const left = LIMIT - made.length * NEW_KEY_WEIGHT;
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(left + refilled);
    expect((await ana.get('/products')).status).toBe(429);
  });

  it('bounds a key also by its own lower limit', async () => {
    const child = await given.apiKey(await given.user(), { rateLimit: 2 });
    const replies = [];
    for (let i = 0; i < 3; i++) replies.push(await new Client(child.apiKey).get('/products'));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
  });

  it('never allows more than the limit when many ask at once', async () => {
    const ana = await given.user({ rateLimit: 20 });
    const startedAt = Date.now();
    const replies = await Promise.all(Array.from({ length: 60 }, () => ana.get('/products')));
    const refilled = Math.floor((Date.now() - startedAt) / 3_000);
    const allowed = replies.filter(({ status }) => status === 200).length;
    expect(allowed).toBeLessThanOrEqual(20 + refilled);
    expect(allowed).toBeGreaterThanOrEqual(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(60 - allowed);
  });
});

describe('the weight of a request', () => {
  const LIMIT = 100;
  const ENTRIES = '/v1/work/tracker/entries';
  const SYNC = '/v1/work/tracker/remote/sync';

  const DAY = '2026-11-20';

  const rowsOf = (count: number, day = DAY) =>
    Array.from({ length: count }, (_, i) => ({ date: day, durationMinutes: 1 + i, externalId: `${day} ${i}` }));

  const WIDE = '\u{1f4d0}';
  const PRODUCT = { name: WIDE.repeat(255), description: WIDE.repeat(2_000), price: '1' };

  let ana: User;
  let billing: Json;
  let invoice: Json;
  let timeInvoice: Json;
  let jobId: string;

  beforeAll(async () => {
    ana = await given.user();
    invoice = await given.invoice(ana);
    const { id: clientId } = await given.client(ana);
    const time = { clientId, currency: 'USD', rate: 60, entryDate: '2026-09-01', description: WIDE.repeat(500) };
    for (let i = 0; i < 10; i++) await given.entry(ana, time);
    const timeEntries = { dateFrom: time.entryDate, dateTo: time.entryDate, groupBy: 'entry' };
    billing = { clientId, currency: time.currency, timeEntries };
    timeInvoice = await given.invoice(ana, billing);
    await given.connection(ana);
    const { body } = await ana.post(`${SYNC}/confirm`, { rows: rowsOf(101, '2026-10-01') });
    jobId = body.data.importJobId;
  });

  const get = (path: string) => (by: User) => by.get(path);
  const file = (path: string) => (by: User) => by.send('GET', path, { headers: { accept: 'text/csv' } });

  it.each<[string, number, number, (by: User) => Promise<Reply>]>([
    ['a list', 1, 200, get('/products')],
    ['a product of the longest texts', 1, 201, (by) => by.post('/products', PRODUCT)],
    ['a deletion of an invoice of time', 1, 200, (by) => by.delete(`/invoices/${timeInvoice.id}`)],
    ['an invoice of time', 1, 201, (by) => by.post('/invoices', billing)],
    ['a list with an empty q', 1, 200, get('/products?q=')],
    ['a list of products with q', 5, 200, get('/products?q=a')],
    ['a list of clients with q', 5, 200, get('/clients?q=a')],
    ['a list of invoices with q', 5, 200, get('/invoices?q=a&pagination=cursor')],
    ['a list of entries with q', 5, 200, get(`${ENTRIES}?q=a`)],
    ['a list of entries as CSV', 10, 200, file(ENTRIES)],
    ['a list of entries as CSV, with q', 10, 200, file(`${ENTRIES}?q=a`)],
    ['a summary as CSV', 10, 200, file(`${ENTRIES}/summary?groupBy=user&dateFrom=${DAY}&dateTo=${DAY}`)],
    ['a search of products', 5, 200, get('/products/search?q=a')],
    ['a search that is refused', 1, 422, get('/products/search')],
    ['a PDF', 5, 200, (by) => by.get(`/invoices/${invoice.id}/pdf`)],
    ['a PDF of an id that is none', 1, 404, get('/invoices/none/pdf')],
    ['a preview', 10, 200, (by) => by.post(`${SYNC}/preview`, {})],
    ['a preview that is refused', 1, 422, (by) => by.post(`${SYNC}/preview`, { dateFrom: 1 })],
    ['a confirm of 100 rows', 1, 200, (by) => by.post(`${SYNC}/confirm`, { rows: rowsOf(100) })],
    ['a confirm of 101 rows', 2, 200, (by) => by.post(`${SYNC}/confirm`, { rows: rowsOf(101) })],
    ['a confirm that is refused', 1, 422, (by) => by.post(`${SYNC}/confirm`, { rows: [...rowsOf(200), {}] })],
    ['the trial of an undoing of 101 rows', 2, 200, (by) => by.post(`${SYNC}/history/${jobId}/undo?dryRun=true`)],
    ['an undoing of 101 rows', 2, 200, (by) => by.post(`${SYNC}/history/${jobId}/undo`)],
    ['an undoing of what is undone', 1, 409, (by) => by.post(`${SYNC}/history/${jobId}/undo`)],
  ])('of %s is %d, and RateLimit shows it', async (_, weight, status, request) => {
    const by = await given.user({ organization: ana.organization, rateLimit: LIMIT });
    const reply = await request(by);
    expect({ status: reply.status, left: leftAfter(reply) }).toEqual({ status, left: LIMIT - weight });
  });

  it('is one where an answer is kept under an Idempotency-Key', async () => {
    const by = await given.user({ organization: ana.organization, rateLimit: LIMIT });
    const sending = { body: { rows: rowsOf(101) }, headers: { 'idempotency-key': randomUUID() } };
    const confirm = () => by.send('POST', `${SYNC}/confirm`, sending);
    expect(leftAfter(await confirm())).toBe(LIMIT - 2);
    const again = await confirm();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(leftAfter(again)).toBe(LIMIT - 3);
  });

  it('is not paid in part: the answer is 429 until the bucket can pay, and says when that is', async () => {
    const by = await given.user({ rateLimit: 12 });
    const search = () => by.get('/products/search?q=a');
    expect([leftAfter(await search()), leftAfter(await search())]).toEqual([7, 2]);
    const refused = await search();
    expect({ status: refused.status, left: leftAfter(refused) }).toEqual({ status: 429, left: 1 });
    expect(refused.body.detail).toMatch(/^The key allows 12 requests a minute, and this one counts as 5; try again in/);
    // Five seconds for each of the four tokens that are missing, less what has refilled since the first request.
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(15);
    expect(retryAfter).toBeLessThanOrEqual(20);
    expect((await by.get('/products')).status).toBe(200);
  });

  it('is the whole bucket for what a full bucket could never pay', async () => {
    const by = await given.user({ rateLimit: 3 });
    const reply = await by.get('/products/search?q=a');
    expect({ status: reply.status, left: leftAfter(reply) }).toEqual({ status: 200, left: 0 });
    expect((await by.get('/products')).status).toBe(429);
    const other = await given.user({ rateLimit: 3 });
    await other.get('/products');
    const refused = await other.get('/products/search?q=a');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
  });

  it('lets no more pass than the limit when many ask at once', async () => {
    const by = await given.user({ rateLimit: 30 });
    const startedAt = Date.now();
    const replies = await Promise.all(Array.from({ length: 20 }, () => by.get('/products/search?q=a')));
    const refilled = Math.floor((Date.now() - startedAt) / 2_000);
    const allowed = replies.filter(({ status }) => status === 200).length;
    expect(allowed * 5).toBeLessThanOrEqual(30 + refilled);
    expect(allowed).toBeGreaterThanOrEqual(1);
  });
});
