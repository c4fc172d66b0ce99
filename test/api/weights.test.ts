import { randomUUID } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { NEW_KEY_WEIGHT } from '#shared/contract/weight.ts';
import { batchesOf } from '#shared/data/table/parallel.ts';
import { writeEntries } from '#shared/data/tracker/entries.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import { plusDays } from '#shared/domain/tracker/work-time.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { Client, type Json, type Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { leftAfter } from '#test/support/rate-limit.ts';

describe('the weight of a request', () => {
  const LIMIT = 100;
  const ENTRIES = '/v1/work/tracker/entries';
  const SYNC = '/v1/work/tracker/remote/sync';
  const IMPORTS = '/v1/work/tracker/imports';

  const DAY = '2026-11-20';

  const rowsOf = (count: number, day = DAY) =>
    Array.from({ length: count }, (_, i) => ({ date: day, durationMinutes: 1 + i, externalId: `${day} ${i}` }));

  const WRONG_CREDENTIAL = { accountId: '1', accessToken: 'wrong' };

  const WIDE = '\u{1f4d0}';
  const PRODUCT = { name: WIDE.repeat(255), description: WIDE.repeat(2_000), price: '1' };

  /** Many entries of one project, so that an end of the day is read without the rest. */
  const CROWDED_DAY = '2026-08-03';
  /** Entries of many projects of many clients, most of them not billable: they are read together. */
  const MIXED_DAY = '2026-08-04';

  let ana: User;
  let billing: Json;
  let invoice: Json;
  let drafts: Json[];
  let sent: Json;
  let manyLines: Json;
  let clientId: string;
  let projectId: string;
  let jobId: string;

  beforeAll(async () => {
    ana = await given.user();
    invoice = await given.invoice(ana);
    clientId = (await given.client(ana)).id;
    const { currency } = ana.organization;
    const billingOf = async (entries: number, entryDate: string, lines = 0) => {
      const time = { clientId, currency, rate: 60, entryDate, description: WIDE.repeat(500) };
      for (let i = 0; i < entries; i++) await given.entry(ana, time);
      const timeEntries = { dateFrom: entryDate, dateTo: entryDate, groupBy: 'entry' };
      return { clientId, currency, lineItems: linesOf(lines), ...(entries > 0 && { timeEntries }) };
    };
    billing = await billingOf(21, '2026-09-01');
    drafts = await Promise.all(
      ['2026-09-02', '2026-09-03'].map(async (day) => given.invoice(ana, await billingOf(21, day))),
    );
    drafts.push(await given.invoice(ana, await billingOf(0, '', 51)));
    sent = await given.sentInvoice(ana, await billingOf(21, '2026-09-04'));
    manyLines = await given.invoice(ana, await billingOf(0, '', 501));
    const project = await given.project(ana, { clientId });
    projectId = project.id;
    await bookEntries(ana, project, 2_501, [CROWDED_DAY]);
    await bookMixed(ana, MIXED_DAY, 501);
    await bookEachDay(ana, '2010-01-01', 501);
    await given.connection(ana);
    const { body } = await ana.post(`${SYNC}/confirm`, { rows: rowsOf(101, '2026-10-01') });
    jobId = body.data.importJobId;
  }, 120_000);

  async function bookEachDay(by: User, first: string, count: number): Promise<void> {
    const days = Array.from({ length: count }, (_, i) => plusDays(first, i));
    // With the sums of their days, so many entries fit into one transaction.
    for (const some of batchesOf(days, 10)) await bookEntries(by, null, some.length, some);
  }

  /** So that of each three entries two are not billable, and the billable ones are of three clients. */
  async function bookMixed(by: User, day: string, count: number): Promise<void> {
    const owner = { organizationId: by.organization.id, userId: by.userId, currency: 'USD' };
    const clients = await Promise.all([1, 2, 3].map(() => given.client(by)));
    for (const [position, client] of clients.entries()) {
      const entries = Array.from({ length: count / 3 }, (_, i) => {
        const draft = { description: 'Work', durationMinutes: 1, entryDate: day, billable: i === position };
        return newEntry({ ...draft, clientId: client.id }, null, owner, uuidV7(), new Date());
      });
      for (const batch of batchesOf(entries, 40)) {
        await writeEntries(batch.map((after) => ({ before: null, after })));
      }
    }
  }

  const linesOf = (count: number) => Array.from({ length: count }, () => ({ name: 'x', price: '1' }));
  const longDraft = () => given.invoice(ana, { clientId, lineItems: linesOf(51) });
  const longSent = async () => (await given.sentInvoice(ana, { clientId, lineItems: linesOf(51) })).id;
  const namingEntries = async (count: number) => {
    const { currency } = ana.organization;
    const entryIds = [];
    for (let i = 0; i < count; i++) entryIds.push((await given.entry(ana, { clientId, currency, rate: 60 })).id);
    return { clientId, currency, lineItems: [{ entryIds }] };
  };
  const on = (day: string) => `dateFrom=${day}&dateTo=${day}`;
  const key = { name: 'Another', scopes: ['products:read'] };
  const changing = (of: () => Json, body: object) => (by: User) => by.patch(`/invoices/${of().id}`, body);

  const get = (path: string) => (by: User) => by.get(path);
  const previewOf = (count: number) => async (by: Pick<Client, 'post'>) => {
    await given.connection(ana, { entries: Array.from({ length: count }, (_, i) => ({ id: i + 1, date: DAY })) });
    return by.post(`${SYNC}/preview`, { dateFrom: DAY, dateTo: DAY });
  };
  const file = (path: string) => (by: User) => by.send('GET', path, { headers: { accept: 'text/csv' } });

  it.each<[string, number, number, (by: User) => Promise<Reply>]>([
    ['a list', 1, 200, get('/products')],
    ['a page of events', 1, 200, get('/v1/events?limit=200')],
    ['a product of the longest texts', 1, 201, (by) => by.post('/products', PRODUCT)],
    ['an invoice of 21 entries', 2, 201, (by) => by.post('/invoices', billing)],
    ['an invoice of 21 entries by their ids', 2, 201, async (by) => by.post('/invoices', await namingEntries(21))],
    ['an invoice of 51 lines', 2, 201, (by) => by.post('/invoices', { clientId, lineItems: linesOf(51) })],
    ['an invoice for nobody', 1, 400, (by) => by.post('/invoices', { ...billing, clientId: randomUUID() })],
    ['a change of an invoice of 21 entries', 1, 200, changing(() => drafts[0], { notes: 'x' })],
    ['a change that lets go of 21 entries', 2, 200, changing(() => drafts[0], { lineItems: linesOf(1) })],
    ['a change of an invoice of 51 lines', 2, 200, changing(() => drafts[2], { notes: 'x' })],
    ['a change that leaves one of 51 lines', 2, 200, changing(() => drafts[2], { lineItems: linesOf(1) })],
    ['a change of a sent invoice', 1, 409, changing(() => sent, { lineItems: linesOf(51) })],
    ['a deletion of an invoice of 21 entries', 2, 200, (by) => by.delete(`/invoices/${drafts[1].id}`)],
    ['a deletion of an invoice of 51 lines', 2, 200, async (by) => by.delete(`/invoices/${(await longDraft()).id}`)],
    ['a deletion of a sent invoice', 1, 409, (by) => by.delete(`/invoices/${sent.id}`)],
    ['the voiding of an invoice of 21 entries', 2, 200, (by) => by.post(`/invoices/${sent.id}/void`)],
    ['the voiding of an invoice of 51 lines', 2, 200, async (by) => by.post(`/invoices/${await longSent()}/void`)],
    ['the voiding of a void invoice', 1, 409, (by) => by.post(`/invoices/${sent.id}/void`)],
    ['reading an invoice of 501 lines', 2, 200, (by) => by.get(`/invoices/${manyLines.id}`)],
    ['sending an invoice of 501 lines', 2, 200, (by) => by.post(`/invoices/${manyLines.id}/send`)],
    ['sending a sent invoice', 1, 409, (by) => by.post(`/invoices/${manyLines.id}/send`)],
    ['no change of a sent invoice of 501 lines', 2, 200, changing(() => manyLines, {})],
    ['paying an invoice of 501 lines', 2, 200, (by) => by.post(`/invoices/${manyLines.id}/pay`)],
    ['paying a paid invoice', 1, 409, (by) => by.post(`/invoices/${manyLines.id}/pay`)],
    [
      'reading a credit note of 501 lines',
      2,
      200,
      async (by) => by.get(`/credit-notes/${(await given.creditNote(ana, manyLines.id)).id}`),
    ],
    ['one entry of a day that is read from its end', 1, 200, get(`${ENTRIES}?${on(CROWDED_DAY)}&limit=1`)],
    ['one entry of that day with an empty q', 1, 200, get(`${ENTRIES}?${on(CROWDED_DAY)}&limit=1&q=`)],
    ['one entry of a day of 501 that is read whole', 2, 200, get(`${ENTRIES}?${on(MIXED_DAY)}&limit=1`)],
    ['one entry among 498 others of the day', 2, 200, get(`${ENTRIES}?${on(MIXED_DAY)}&limit=1&billable=true`)],
    ['one entry of a client of a day', 1, 200, (by) => by.get(`${ENTRIES}?${on(MIXED_DAY)}&clientId=${clientId}`)],
    [
      'an entry of a project with q',
      6,
      200,
      (by) => by.get(`${ENTRIES}?${on(CROWDED_DAY)}&projectId=${projectId}&q=x`),
    ],
    ['2,501 entries with q', 6, 200, get(`${ENTRIES}?${on(CROWDED_DAY)}&limit=1&q=x`)],
    ['2,501 entries of a user', 6, 200, get(`${ENTRIES}?${on(CROWDED_DAY)}&limit=1&userId=${randomUUID()}`)],
    ['a few entries of a user', 5, 200, get(`${ENTRIES}?${on(DAY)}&userId=${randomUUID()}`)],
    ['a few entries of a status', 5, 200, get(`${ENTRIES}?${on(DAY)}&billingStatus=non_billable`)],
    ['no entries on an invoice', 5, 200, get(`${ENTRIES}?${on(DAY)}&invoiceId=${randomUUID()}`)],
    ['no entries of a status', 5, 200, get(`${ENTRIES}?billingStatus=non_billable&billable=true`)],
    ['a summary', 1, 200, get(`${ENTRIES}/summary?${on(CROWDED_DAY)}&groupBy=project`)],
    ['a summary of 2,501 entries by user', 6, 200, get(`${ENTRIES}/summary?${on(CROWDED_DAY)}&groupBy=user`)],
    ['a summary of 501 groups', 2, 200, get(`${ENTRIES}/summary?dateFrom=2010-01-01&dateTo=2012-12-31&groupBy=day`)],
    ['a summary of a few entries by user', 5, 200, get(`${ENTRIES}/summary?${on(DAY)}&groupBy=user`)],
    ['a list with an empty q', 1, 200, get('/products?q=')],
    ['a list of entries with q', 5, 200, get(`${ENTRIES}?${on(DAY)}&q=a`)],
    ['a list of entries as CSV', 10, 200, file(`${ENTRIES}?${on(DAY)}`)],
    ['a list of entries as CSV, with q', 10, 200, file(`${ENTRIES}?${on(DAY)}&q=a`)],
    ['a summary as CSV', 10, 200, file(`${ENTRIES}/summary?groupBy=user&${on(DAY)}`)],
    ['a search that is refused', 1, 422, get('/products/search')],
    ['a PDF', 5, 200, (by) => by.get(`/invoices/${invoice.id}/pdf`)],
    ['a PDF of an id that is none', 1, 404, get('/invoices/none/pdf')],
    ['a PDF with an e-invoice in it', 5, 400, (by) => by.get(`/invoices/${manyLines.id}/pdf?profile=factur-x`)],
    ['an e-invoice', 5, 400, (by) => by.get(`/invoices/${manyLines.id}/e-invoice?format=en16931-cii`)],
    ['the check of an e-invoice', 1, 200, (by) => by.get(`/invoices/${invoice.id}/e-invoice/check?format=en16931-cii`)],
    ['a list with q of one external id', 1, 200, get('/clients?externalId=crm-1&q=a')],
    ['a list of entries with a tag', 5, 200, get(`${ENTRIES}?${on(DAY)}&tag=a`)],
    ['a summary of what is not billable', 5, 200, get(`${ENTRIES}/summary?${on(DAY)}&billingStatus=non_billable`)],
    ['a summary of a status', 5, 200, get(`${ENTRIES}/summary?${on(DAY)}&billingStatus=unbilled`)],
    ['a preview', 10, 200, (by) => by.post(`${SYNC}/preview`, {})],
    ['a preview of 2,001 entries', 11, 200, previewOf(2_001)],
    ['a preview that is refused', 1, 422, (by) => by.post(`${SYNC}/preview`, { dateFrom: 1 })],
    ['connecting', 10, 400, (by) => by.post('/v1/work/tracker/remote/connect', WRONG_CREDENTIAL)],
    ['a new key', 5, 201, (by) => by.post('/v1/api-keys', key)],
    ['a confirm of 20 rows', 1, 200, (by) => by.post(`${SYNC}/confirm`, { rows: rowsOf(20) })],
    ['a confirm of 21 rows', 2, 200, (by) => by.post(`${SYNC}/confirm`, { rows: rowsOf(21) })],
    ['a confirm that is refused', 1, 422, (by) => by.post(`${SYNC}/confirm`, { rows: [...rowsOf(200), {}] })],
    ['an import of 21 rows', 2, 200, (by) => by.post(IMPORTS, { origin: 'a', rows: rowsOf(21) })],
    [
      'the trial of an import of 21 rows',
      2,
      200,
      (by) => by.post(`${IMPORTS}?dryRun=true`, { origin: 'a', rows: rowsOf(21) }),
    ],
    ['the trial of an undoing of 101 rows', 6, 200, (by) => by.post(`${SYNC}/history/${jobId}/undo?dryRun=true`)],
    ['an undoing of 101 rows', 6, 200, (by) => by.post(`${SYNC}/history/${jobId}/undo`)],
    ['an undoing of what is undone', 1, 409, (by) => by.post(`${SYNC}/history/${jobId}/undo`)],
  ])('of %s is %d, and RateLimit shows it', async (_, weight, status, request) => {
    const by = await given.user({ organization: ana.organization, rateLimit: LIMIT });
    const reply = await request(by);
    expect({ status: reply.status, left: leftAfter(reply) }).toEqual({ status, left: LIMIT - weight });
  });

  it('is one where an answer is kept under an Idempotency-Key', async () => {
    const by = await given.user({ organization: ana.organization, rateLimit: 10 });
    const sending = { body: { rows: rowsOf(101) }, headers: { 'idempotency-key': randomUUID() } };
    const confirm = () => by.send('POST', `${SYNC}/confirm`, sending);
    expect(leftAfter(await confirm())).toBe(4);
    const again = await confirm();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(leftAfter(again)).toBe(3);
  });

  it('is one for each 500 KB of an answer that is kept', async () => {
    // A token comes back in five seconds.
    const by = await given.user({ organization: ana.organization, rateLimit: 12 });
    const lineItems = Array.from({ length: 300 }, () => ({ name: 'x', price: '1', description: 'x'.repeat(2_000) }));
    const sending = { body: { clientId, lineItems }, headers: { 'idempotency-key': randomUUID() } };
    const before = leftAfter(await by.send('POST', '/invoices', sending));
    const again = await by.send('POST', '/invoices', sending);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(before - leftAfter(again)).toBe(2);
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
    expect(retryAfter).toBeGreaterThan(0);
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

  it('is paid in two parts where the provider has to be asked first, as if it were one', async () => {
    const parent = await given.user({ organization: ana.organization, rateLimit: 60 });
    const startedAt = Date.now();
    const child = new Client((await given.apiKey(parent, { rateLimit: 12, scopes: ['tracker:remote'] })).apiKey);
    const reply = await previewOf(4_001)(child);
    expect({ status: reply.status, left: leftAfter(reply) }).toEqual({ status: 200, left: 0 });
    const refilled = Math.ceil((Date.now() - startedAt) / 1_000);
    const left = leftAfter(await parent.get('/products'));
    expect(left).toBeGreaterThanOrEqual(60 - NEW_KEY_WEIGHT - 21 - 1);
    expect(left).toBeLessThanOrEqual(60 - NEW_KEY_WEIGHT - 21 - 1 + refilled);
  });
});
