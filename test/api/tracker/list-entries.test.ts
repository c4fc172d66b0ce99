import { beforeAll, describe, expect, it } from 'vitest';
import type { Json, Sending } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const path = '/v1/work/tracker/entries';

describe('GET /v1/work/tracker/entries', () => {
  let ana: User;
  let client: Json;
  let project: Json;

  beforeAll(async () => {
    ana = await given.user();
    client = await given.client(ana, { name: 'Hooli GmbH' });
    project = await given.project(ana, { name: 'Site' });
    await given.entry(ana, { description: 'a', entryDate: '2026-01-31' });
    await given.entry(ana, { description: 'b', entryDate: '2026-02-01', startTime: '09:00', endTime: '10:00' });
    await given.entry(ana, {
      description: 'c',
      entryDate: '2026-02-01',
      startTime: '08:00',
      endTime: '09:00',
      projectId: project.id,
    });
    await given.entry(ana, { description: 'd', entryDate: '2026-02-01', billable: false });
    await given.entry(ana, { description: 'e Needle', entryDate: '2026-02-01', clientId: client.id });
    await given.entry(ana, {
      description: 'f',
      entryDate: '2026-03-15',
      projectId: project.id,
      clientId: client.id,
      currency: 'EUR',
    });
  });

  const found = async (query: Sending['query'] = {}) =>
    (await ana.get(path, query)).body.data.map(({ description }: Json) => description[0]).join('');

  it('lists by date, then start, then creation, newest first', async () => {
    expect(await found()).toBe('fbceda');
    expect((await ana.get(path)).body.meta).toEqual({ total: 6, limit: 50, offset: 0 });
  });

  it.each([
    [{ dateFrom: '2026-02-01' }, 'fbced'],
    [{ dateFrom: '2026-02-01', dateTo: '2026-02-01' }, 'bced'],
    [{ billable: false }, 'd'],
    [{ source: 'native_tracker' }, 'fbceda'],
    [{ source: 'remote_api' }, ''],
    [{ q: 'NEEDLE' }, 'e'],
    [{ q: 'hooli' }, 'fe'],
    [{ q: '' }, 'fbceda'],
    [{ q: 'hooli', dateTo: '2026-02-28' }, 'e'],
  ])('filters by %o', async (query, expected) => {
    expect(await found(query)).toBe(expected);
    expect((await ana.get(path, query)).body.meta.total).toBe(expected.length);
  });

  it('filters by project and client, alone and combined with the rest', async () => {
    expect(await found({ projectId: project.id })).toBe('fc');
    expect(await found({ clientId: client.id })).toBe('fe');
    expect(await found({ projectId: project.id, clientId: client.id })).toBe('f');
    expect(await found({ projectId: project.id, billable: true, source: 'native_tracker', dateTo: '2026-02-28' })).toBe(
      'c',
    );
    expect(await found({ projectId: project.id, q: 'c' })).toBe('c');
  });

  it("finds nothing by another organization's ids", async () => {
    const eve = await given.user();
    expect(await found({ projectId: (await given.project(eve)).id })).toBe('');
    expect(await found({ clientId: (await given.client(eve)).id })).toBe('');
  });

  it('answers 400 to a range that ends before it begins', async () => {
    const reply = await ana.get(path, { dateFrom: '2026-02-02', dateTo: '2026-02-01' });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'invalid_date_range', errors: [{ path: 'dateFrom' }] });
  });
});

describe('GET /v1/work/tracker/entries of a team', () => {
  let ana: User;
  let ben: User;
  let client: Json;
  let project: Json;

  beforeAll(async () => {
    ana = await given.user();
    ben = await given.user({ organization: ana.organization });
    client = await given.client(ana, { name: 'Globex' });
    project = await given.project(ana, { clientId: client.id });
    const [monday, tuesday] = ['2026-03-02', '2026-03-03'];
    await given.entry(ana, { description: 'a', entryDate: monday, projectId: project.id, rate: 60 });
    await given.entry(ben, { description: 'b', entryDate: monday, projectId: project.id, rate: 60 });
    await given.entry(ben, { description: 'c', entryDate: tuesday, billable: false });
    await given.entry(ana, { description: 'd', entryDate: tuesday, billable: false, projectId: project.id });
    await given.entry(ben, { description: 'e', entryDate: tuesday });
    await given.entry(ana, { description: 'f', entryDate: '2026-04-01', projectId: project.id, rate: 60 });
  });

  async function found(query: Sending['query']): Promise<string> {
    const { data, meta } = (await ana.get(path, query)).body;
    expect(meta.total).toBe(data.length);
    return data.map(({ description }: Json) => description).join('');
  }

  it('filters by user, combined with all other filters', async () => {
    const userId = ben.userId;
    expect(await found({ userId })).toBe('ecb');
    expect(await found({ userId: userId.toUpperCase() })).toBe('ecb');
    expect(await found({ userId, clientId: client.id, q: 'globex' })).toBe('b');
    expect(await found({ userId, source: 'native_tracker', dateFrom: '2026-03-03' })).toBe('ec');
    expect(await found({ userId, billingStatus: 'non_billable' })).toBe('c');
    expect(await found({ userId: (await given.user()).userId })).toBe('');
  });

  it('filters by the invoice that holds them, combined with all other filters', async () => {
    const bill = (dates: Json) =>
      given.invoice(ana, {
        clientId: client.id,
        currency: 'USD',
        lineItems: [],
        timeEntries: { groupBy: 'entry', ...dates },
      });
    const { id: invoiceId } = await bill({ dateFrom: '2026-03-01', dateTo: '2026-03-31' });
    const other = await bill({ dateFrom: '2026-04-01', dateTo: '2026-04-01' });
    expect(await found({ invoiceId })).toBe('ba');
    expect(await found({ invoiceId: invoiceId.toUpperCase() })).toBe('ba');
    expect(await found({ invoiceId: other.id })).toBe('f');
    expect(await found({ invoiceId, userId: ben.userId })).toBe('b');
    expect(await found({ invoiceId, q: 'A' })).toBe('a');
    for (const none of [{ billingStatus: 'unbilled' }, { billingStatus: 'non_billable' }, { billable: false }])
      expect(await found({ invoiceId, ...none })).toBe('');
    const eve = await given.user();
    expect((await eve.get(path, { invoiceId })).body.meta.total).toBe(0);
    for (const id of [invoiceId, other.id]) await ana.delete(`/invoices/${id}`);
    expect(await found({ invoiceId })).toBe('');
  });

  it('filters by billing status, combined with all other filters', async () => {
    const statuses = async (filter: Sending['query'] = {}) => {
      const ask = (billingStatus: string) => found({ billingStatus, ...filter });
      return [await ask('unbilled'), await ask('invoiced'), await ask('non_billable')];
    };
    expect(await statuses()).toEqual(['feba', '', 'dc']);
    const march = { dateFrom: '2026-03-01', dateTo: '2026-03-31', groupBy: 'entry' };
    const draft = await given.invoice(ana, { clientId: client.id, timeEntries: march });
    expect(await statuses()).toEqual(['fe', 'ba', 'dc']);
    expect(await statuses({ userId: ana.userId })).toEqual(['f', 'a', 'd']);
    expect(await statuses({ billable: false })).toEqual(['', '', 'dc']);
    expect(await statuses({ billable: true, dateTo: '2026-03-02' })).toEqual(['', 'ba', '']);
    expect((await ana.get(path, { billingStatus: 'invoiced', limit: 1, offset: 1 })).body).toMatchObject({
      data: [{ description: 'a', billingStatus: 'invoiced', invoiceId: draft.id }],
      meta: { total: 2 },
    });
  });
});

describe('GET /v1/work/tracker/entries as CSV', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
    await given.entry(ana, { description: '=1+1, "so"', entryDate: '2026-03-01' });
    await given.entry(ana, { description: '\t@x\r\ny', entryDate: '2026-03-02', rate: 60, billable: false });
    await given.entry(ana, { description: '+x', entryDate: '2026-03-03' });
  });

  const exported = (query: Sending['query'] = {}, accept = 'text/csv') =>
    ana.send('GET', path, { query, headers: { accept } });

  it('has the members of the JSON but metadata as columns, and all matches whatever the page', async () => {
    const data = (await ana.get(path)).body.data.map(({ metadata, ...entry }: Json) => entry);
    const reply = await exported({ limit: 1, offset: 2 });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="entries.csv"');
    expect(reply.headers.get('vary')?.split(', ')).toContain('accept');
    const lines = data.map((entry: Json) =>
      Object.entries(entry)
        .map(([member, value]) => (member === 'description' ? '?' : String(value ?? '')))
        .join(),
    );
    const anonymous = reply.body.replace(/"'=1\+1, ""so"""|"'\t@x\r\ny"|'\+x/g, '?');
    expect(anonymous.split('\r\n')).toEqual([Object.keys(data[0]).join(), ...lines, '']);
    expect(anonymous.match(/\?/g)).toHaveLength(3);
  });

  it('is not for who accepts JSON as well', async () => {
    const reply = await exported({}, 'text/csv;q=0.5, application/json');
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(reply.headers.get('vary')?.split(', ')).toContain('accept');
    expect(reply.body.meta.total).toBe(3);
  });
});
