import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const path = '/v1/work/tracker/entries/summary';
const year = { dateFrom: '2026-01-01', dateTo: '2026-12-31' };

describe('GET /v1/work/tracker/entries/summary', () => {
  let ana: User;
  let project: Json;

  beforeAll(async () => {
    ana = await given.user();
    project = await given.project(ana, { name: 'Site', rate: 60 });
    await given.entry(ana, { entryDate: '2026-01-01', projectId: project.id, durationMinutes: 30 });
    await given.entry(ana, { entryDate: '2026-12-31', projectId: project.id, durationMinutes: 15, billable: false });
    await given.entry(ana, { entryDate: '2026-06-15', durationMinutes: 20 });
    await given.entry(ana, { entryDate: '2025-12-31', durationMinutes: 500, rate: 1 });
  });

  it('has by day what lies between its dates alone, and not the rest of their months', async () => {
    const inner = { dateFrom: '2026-01-02', dateTo: '2026-12-30', groupBy: 'day' };
    const { trackedMinutes, groups } = (await ana.get(path, inner)).body.data;
    expect([trackedMinutes, groups]).toMatchObject([20, [{ trackedMinutes: 20 }]]);
  });

  it('sums billable and tracked minutes and money by project, both bounds inclusive', async () => {
    expect((await ana.get(path, year)).body.data).toEqual({
      ...year,
      totalMinutes: 50,
      trackedMinutes: 65,
      billedMinutes: 50,
      totalAmount: 30,
      currency: 'USD',
      byProject: [
        {
          projectId: project.id,
          projectName: 'Site',
          totalMinutes: 30,
          trackedMinutes: 45,
          billedMinutes: 30,
          totalAmount: 30,
          currency: 'USD',
        },
        {
          projectId: null,
          projectName: null,
          totalMinutes: 20,
          trackedMinutes: 20,
          billedMinutes: 20,
          totalAmount: 0,
          currency: 'USD',
        },
      ],
      byCurrency: [{ currency: 'USD', totalMinutes: 50, billedMinutes: 50, totalAmount: 30 }],
    });
  });

  it('is empty, in the currency of the organization, where nothing was worked', async () => {
    const kenji = await given.user({ currency: 'JPY' });
    expect((await kenji.get(path, year)).body.data).toEqual({
      ...year,
      totalMinutes: 0,
      trackedMinutes: 0,
      billedMinutes: 0,
      totalAmount: 0,
      currency: 'JPY',
      byProject: [],
      byCurrency: [],
    });
  });

  it('answers 400 to a range that ends before it begins', async () => {
    const reply = await ana.get(path, { dateFrom: '2026-02-02', dateTo: '2026-02-01' });
    expect(reply.status).toBe(400);
    expect(reply.body.code).toBe('invalid_date_range');
  });
});

describe('GET /v1/work/tracker/entries/summary with groupBy', () => {
  const range = { dateFrom: '2024-12-28', dateTo: '2025-01-31' };
  let ana: User;
  let ben: User;
  let project: Json;
  let client: Json;

  beforeAll(async () => {
    const organization = await given.organization();
    ana = await given.user({ organization, name: 'Ana' });
    ben = await given.user({ organization, name: 'Ben' });
    client = await given.client(ana, { name: '=Globex' });
    project = await given.project(ana, { name: 'Site', rate: 60, clientId: client.id });
    const work = { projectId: project.id, durationMinutes: 30 };
    await given.entry(ana, { ...work, entryDate: '2024-12-29' });
    await given.entry(ana, { ...work, entryDate: '2024-12-30' });
    await given.entry(ben, { ...work, entryDate: '2025-01-05', billable: false });
    await given.entry(ben, { entryDate: '2025-01-06', durationMinutes: 20, rate: 90, currency: 'JPY' });
    await given.entry(ben, { entryDate: '2025-02-01', durationMinutes: 500, rate: 1 });
  });

  const group = (
    key: Json,
    totalMinutes: number,
    trackedMinutes: number,
    amounts: Readonly<Record<string, string>>,
  ) => ({
    key,
    totalMinutes,
    trackedMinutes,
    billedMinutes: totalMinutes,
    amounts: Object.entries(amounts).map(([currency, amount]) => ({ currency, amount })),
  });

  it('has groups in the order of their keys, what has none last, and all else as before', async () => {
    const { groups, ...summary } = (await ana.get(path, { ...range, groupBy: 'project' })).body.data;
    expect(summary).toEqual((await ana.get(path, range)).body.data);
    expect(groups).toEqual([
      group({ projectId: project.id, projectName: 'Site' }, 60, 90, { USD: '60.00' }),
      group({ projectId: null, projectName: null }, 20, 20, { JPY: '30' }),
    ]);
    expect((await ana.get(path, { ...range, groupBy: 'user' })).body.data.groups).toEqual([
      group({ userId: ana.userId, userName: 'Ana' }, 60, 60, { USD: '60.00' }),
      group({ userId: ben.userId, userName: 'Ben' }, 20, 50, { JPY: '30', USD: '0.00' }),
    ]);
  });

  it('answers CSV with a row for each group and currency', async () => {
    const headers = { accept: 'text/csv' };
    const reply = await ana.send('GET', path, { query: { ...range, groupBy: 'month,client' }, headers });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="summary.csv"');
    expect(reply.body.split('\r\n')).toEqual([
      'clientId,clientName,month,totalMinutes,trackedMinutes,billedMinutes,currency,amount',
      `${client.id},'=Globex,2024-12,60,60,60,USD,60.00`,
      `${client.id},'=Globex,2025-01,0,30,0,USD,0.00`,
      ',,2025-01,20,20,20,JPY,30',
      '',
    ]);
  });

  it('refuses a grouping that is none, and needs one for CSV', async () => {
    const { status, body } = await ana.get(path, { ...range, groupBy: 'day,team' });
    expect([status, body.errors]).toMatchObject([422, [{ path: 'groupBy', code: 'enum' }]]);
    const reply = await ana.send('GET', path, { query: range, headers: { accept: 'text/csv' } });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual([{ path: 'groupBy', message: expect.any(String), code: 'required' }]);
  });
});

describe('GET /v1/work/tracker/entries/summary with billingStatus', () => {
  const STATUSES = ['unbilled', 'invoiced', 'non_billable'] as const;
  let ana: User;
  let client: Json;
  let project: Json;

  beforeAll(async () => {
    ana = await given.user();
    const ben = await given.user({ organization: ana.organization });
    client = await given.client(ana);
    project = await given.project(ana, { name: 'Site', rate: 60, clientId: client.id });
    const work = { projectId: project.id, entryDate: '2026-03-01' };
    const billed = await given.entry(ana, { ...work, durationMinutes: 30 });
    const freed = await given.entry(ben, { ...work, durationMinutes: 10, entryDate: '2026-12-31' });
    const rest = await given.entry(ana, { ...work, durationMinutes: 15 });
    await given.entry(ben, { ...work, durationMinutes: 20, billable: false });
    await given.entry(ben, { entryDate: '2025-12-31', durationMinutes: 500, rate: 1 });
    await given.entry(ben, { entryDate: '2026-01-01', durationMinutes: 60, rate: 90, currency: 'JPY' });
    const lineItems = (...entries: Json[]) => [{ entryIds: entries.map(({ id }) => id) }];
    await given.invoice(ana, { clientId: client.id, lineItems: lineItems(billed) });
    const draft = await given.invoice(ana, { clientId: client.id, lineItems: lineItems(freed, rest) });
    await ana.delete(`/invoices/${draft.id}`);
  });

  const summed = async (query: Json) => (await ana.get(path, { ...year, ...query })).body.data;

  it('sums what can be invoiced, and neither what is nor what is not billable', async () => {
    expect(await summed({ billingStatus: 'unbilled' })).toMatchObject({
      totalMinutes: 85,
      trackedMinutes: 85,
      billedMinutes: 85,
      totalAmount: 25,
      currency: 'USD',
      byProject: [
        { projectId: project.id, totalMinutes: 25, totalAmount: 25, currency: 'USD' },
        { projectId: null, totalMinutes: 60, totalAmount: 90, currency: 'JPY' },
      ],
      byCurrency: [
        { currency: 'JPY', totalMinutes: 60, billedMinutes: 60, totalAmount: 90 },
        { currency: 'USD', totalMinutes: 25, billedMinutes: 25, totalAmount: 25 },
      ],
    });
    expect(await summed({ billingStatus: 'invoiced' })).toMatchObject({ trackedMinutes: 30, totalAmount: 30 });
    expect(await summed({ billingStatus: 'non_billable' })).toMatchObject({ totalMinutes: 0, trackedMinutes: 20 });
  });

  it.each(['project', 'client', 'user', 'day', 'week', 'month', 'user,month'])(
    'has by %s what the list has, and all of it in the three together',
    async (groupBy) => {
      const parts = await Promise.all(STATUSES.map((billingStatus) => summed({ billingStatus, groupBy })));
      for (const [index, { groups, trackedMinutes }] of parts.entries()) {
        const query = { ...year, billingStatus: STATUSES[index] };
        const { body } = await ana.get('/v1/work/tracker/entries', query);
        const minutes = body.data.map(({ durationMinutes }: Json) => durationMinutes);
        const total = (of: readonly number[]) => of.reduce((sum, each) => sum + each, 0);
        expect(trackedMinutes).toBe(total(minutes));
        expect(total(groups.map((group: Json) => group.trackedMinutes))).toBe(trackedMinutes);
      }
      const all = await summed({ groupBy });
      expect(parts.reduce((sum, { trackedMinutes }) => sum + trackedMinutes, 0)).toBe(all.trackedMinutes);
      const keys = new Set(parts.flatMap(({ groups }) => groups.map(({ key }: Json) => JSON.stringify(key))));
      expect(keys).toEqual(new Set(all.groups.map(({ key }: Json) => JSON.stringify(key))));
    },
  );
});
