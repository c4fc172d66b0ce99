import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const CLIENT = { name: 'Northwind', emial: 'x@y.example' };

describe('a request with names that the operation does not know', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  const ignored = ({ headers }: Reply) => headers.get('billwright-ignored');

  it('succeeds, and is told what was ignored', async () => {
    const made = await ana.send('POST', '/clients', { query: { page: '2' }, body: CLIENT });
    expect([made.status, ignored(made)]).toEqual([201, 'query.page, body.emial']);
    const path = `/clients/${made.body.data.id}`;
    expect(ignored(await ana.get(path, { fields: 'name' }))).toBe('query.fields');
    expect(ignored(await ana.patch(path, { nmae: 'x' }))).toBe('body.nmae');
    expect(ignored(await ana.get('/clients', { page: 2 }))).toBe('query.page');
    expect(ignored(await ana.get('/clients', { pagination: 'cursor', page: 2 }))).toBe('query.page');
    expect(ignored(await ana.send('DELETE', path, { query: { force: 'true' } }))).toBe('query.force');
    expect(ignored(await ana.get('/health', { verbose: 1 }))).toBe('query.verbose');
  });

  it('is told so with a file as well', async () => {
    const file = await ana.send('GET', '/v1/work/tracker/entries', {
      query: { from: '2026-11-01' },
      headers: { accept: 'text/csv' },
    });
    expect([file.headers.get('content-type'), ignored(file)]).toEqual([
      expect.stringContaining('text/csv'),
      'query.from',
    ]);
  });

  it('is told which members an operation ignores that takes no body, and a body that is no JSON is no fault there', async () => {
    const invoice = await given.invoice(ana);
    const path = `/invoices/${invoice.id}/send`;
    const sent = await ana.post(path, { notes: 'done' });
    expect([sent.status, ignored(sent)]).toEqual([200, 'body.notes']);
    const { id } = await given.timer(ana);
    const discarded = await ana.send('POST', `/v1/work/tracker/timer/${id}/discard`, { rawBody: '{"reason":' });
    expect([discarded.status, ignored(discarded)]).toEqual([200, null]);
    const again = await given.timer(ana);
    const told = await ana.post(`/v1/work/tracker/timer/${again.id}/discard`, { reason: 'lunch' });
    expect([told.status, ignored(told)]).toEqual([200, 'body.reason']);
  });

  it('is told which members only the service sets, where it sends a PATCH with another value than they had', async () => {
    const { data } = (await ana.get(`/invoices/${(await given.invoice(ana)).id}`)).body;
    const path = `/invoices/${data.id}`;
    const sent = { notes: 'x', total: data.total, updatedAt: data.updatedAt, status: 'paid', number: 'INV-7' };
    expect(ignored(await ana.patch(path, sent))).toBe('body.status, body.number');
    expect(ignored(await ana.patch(path, { updatedAt: data.updatedAt }))).toBe('body.updatedAt');
    expect(ignored(await ana.post('/clients', { name: 'Northwind', id: 'x' }))).toBeNull();
  });

  it.each([
    ['the caller', '/v1/me', { userName: 'Other' }, 'body.userName'],
    ['the organization', '/v1/organization', { id: 'x' }, 'body.id'],
  ])('is told so of %s', async (_, path, sent, expected) => {
    const { data } = (await ana.get(path)).body;
    expect(ignored(await ana.patch(path, data))).toBeNull();
    expect(ignored(await ana.patch(path, sent))).toBe(expected);
  });

  it('is told so of a timer, and of the settings of a connection', async () => {
    const bea = await given.user();
    const timer = await given.timer(bea);
    const path = `/v1/work/tracker/timer/${timer.id}`;
    expect(ignored(await bea.patch(path, timer))).toBeNull();
    expect(ignored(await bea.patch(path, { status: 'stopped', tags: ['a'] }))).toBe('body.status');
    await given.connection(bea);
    const settings = { syncEnabled: true, connected: true, accountName: 'Other' };
    expect(ignored(await bea.patch('/v1/work/tracker/remote/settings', settings))).toBe('body.accountName');
  });

  it('is told nothing with a 304', async () => {
    const { id } = await given.client(ana);
    const path = `/clients/${id}`;
    const etag = (await ana.get(path)).headers.get('etag') ?? '';
    const reply = await ana.send('GET', path, { query: { page: 1 }, headers: { 'if-none-match': etag } });
    expect([reply.status, ignored(reply)]).toEqual([304, null]);
  });

  it('is told nothing where it is refused', async () => {
    const refused = await ana.post('/clients', { emial: 'x@y.example' });
    expect([refused.status, ignored(refused)]).toEqual([422, null]);
  });

  it('is refused with limit or offset and pages by cursor', async () => {
    const { status, body } = await ana.get('/invoices', { pagination: 'cursor', limit: 10, offset: 0 });
    expect([status, body.errors]).toEqual([
      422,
      ['limit', 'offset'].map((path) => ({
        path,
        message: 'This parameter needs "pagination=offset".',
        code: 'pagination',
      })),
    ]);
  });
});
