import { beforeAll, describe, expect, it } from 'vitest';
import { summarizeEntries } from '#shared/contract/tracker/summarize-entries.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { expectQueryRefused } from '#test/support/refusals.ts';

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

  it('sums billable and tracked minutes and money by project, both bounds inclusive', async () => {
    expect((await ana.get(path, year)).body.data).toEqual({
      ...year,
      totalMinutes: 50,
      trackedMinutes: 65,
      totalAmount: 30,
      currency: 'USD',
      byProject: [
        {
          projectId: project.id,
          projectName: 'Site',
          totalMinutes: 30,
          trackedMinutes: 45,
          totalAmount: 30,
          currency: 'USD',
        },
        { projectId: null, projectName: null, totalMinutes: 20, trackedMinutes: 20, totalAmount: 0, currency: 'USD' },
      ],
      byCurrency: [{ currency: 'USD', totalMinutes: 50, totalAmount: 30 }],
    });
  });

  it('never adds currencies together', async () => {
    const bea = await given.user({ currency: 'EUR' });
    await given.entry(bea, { currency: 'JPY', rate: 100 });
    expect((await bea.get(path, year)).body.data).toMatchObject({ currency: 'JPY', totalAmount: 100 });
    await given.entry(bea, { currency: 'BHD', rate: 1.5 });
    expect((await bea.get(path, year)).body.data).toMatchObject({
      currency: 'EUR',
      totalAmount: 0,
      totalMinutes: 120,
      byCurrency: [
        { currency: 'BHD', totalMinutes: 60, totalAmount: 1.5 },
        { currency: 'JPY', totalMinutes: 60, totalAmount: 100 },
      ],
    });
  });

  it('is empty, in the currency of the organization, where nothing was worked', async () => {
    const kenji = await given.user({ currency: 'JPY' });
    expect((await kenji.get(path, year)).body.data).toEqual({
      ...year,
      totalMinutes: 0,
      trackedMinutes: 0,
      totalAmount: 0,
      currency: 'JPY',
      byProject: [],
      byCurrency: [],
    });
  });

  it.each([
    [{ ...year, groupBy: '' }, 'groupBy', 'enum'],
    [{ ...year, groupBy: 'team' }, 'groupBy', 'enum'],
    [{ ...year, groupBy: 'day,team' }, 'groupBy', 'enum'],
    [{ ...year, groupBy: 'day,day' }, 'groupBy', 'enum'],
    [{ ...year, groupBy: 'day,week,user' }, 'groupBy', 'enum'],
  ])('refuses %o', (query, member, code) => {
    expectQueryRefused(summarizeEntries, query, member, code);
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

  const groupsBy = async (groupBy: string) => (await ana.get(path, { ...range, groupBy })).body.data.groups;
  const group = (
    key: Json,
    totalMinutes: number,
    trackedMinutes: number,
    amounts: Readonly<Record<string, string>>,
  ) => ({
    key,
    totalMinutes,
    trackedMinutes,
    amounts: Object.entries(amounts).map(([currency, amount]) => ({ currency, amount })),
  });

  it('has groups in the order of their keys, what has none last, and all else as before', async () => {
    const { groups, ...summary } = (await ana.get(path, { ...range, groupBy: 'project' })).body.data;
    expect(summary).toEqual((await ana.get(path, range)).body.data);
    expect(groups).toEqual([
      group({ projectId: project.id, projectName: 'Site' }, 60, 90, { USD: '60.00' }),
      group({ projectId: null, projectName: null }, 20, 20, { JPY: '30' }),
    ]);
    expect(await groupsBy('client')).toEqual([
      group({ clientId: client.id, clientName: '=Globex' }, 60, 90, { USD: '60.00' }),
      group({ clientId: null, clientName: null }, 20, 20, { JPY: '30' }),
    ]);
    expect(await groupsBy('user')).toEqual([
      group({ userId: ana.userId, userName: 'Ana' }, 60, 60, { USD: '60.00' }),
      group({ userId: ben.userId, userName: 'Ben' }, 20, 50, { JPY: '30', USD: '0.00' }),
    ]);
  });

  it('has days, weeks from Monday over the end of the year, and months', async () => {
    expect(await groupsBy('day')).toEqual([
      group({ date: '2024-12-29' }, 30, 30, { USD: '30.00' }),
      group({ date: '2024-12-30' }, 30, 30, { USD: '30.00' }),
      group({ date: '2025-01-05' }, 0, 30, { USD: '0.00' }),
      group({ date: '2025-01-06' }, 20, 20, { JPY: '30' }),
    ]);
    expect(await groupsBy('week')).toEqual([
      group({ week: '2024-12-23' }, 30, 30, { USD: '30.00' }),
      group({ week: '2024-12-30' }, 30, 60, { USD: '30.00' }),
      group({ week: '2025-01-06' }, 20, 20, { JPY: '30' }),
    ]);
    expect(await groupsBy('month')).toEqual([
      group({ month: '2024-12' }, 60, 60, { USD: '60.00' }),
      group({ month: '2025-01' }, 20, 50, { JPY: '30', USD: '0.00' }),
    ]);
  });

  it('groups by two names, ordered by the first', async () => {
    expect((await groupsBy('month,user')).map(({ key }: Json) => [key.month, key.userName])).toEqual([
      ['2024-12', 'Ana'],
      ['2025-01', 'Ben'],
    ]);
    expect((await groupsBy('user,week')).map(({ key }: Json) => [key.userName, key.week])).toEqual([
      ['Ana', '2024-12-23'],
      ['Ana', '2024-12-30'],
      ['Ben', '2024-12-30'],
      ['Ben', '2025-01-06'],
    ]);
  });

  it('has no groups where nothing was worked', async () => {
    const empty = { dateFrom: '2030-01-01', dateTo: '2030-12-31' };
    for (const groupBy of ['project', 'user,day']) {
      expect((await ana.get(path, { ...empty, groupBy })).body.data).toMatchObject({ totalMinutes: 0, groups: [] });
    }
  });

  it('answers CSV with a row for each group and currency', async () => {
    const headers = { accept: 'text/csv' };
    const reply = await ana.send('GET', path, { query: { ...range, groupBy: 'month,client' }, headers });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="summary.csv"');
    expect(reply.body.split('\r\n')).toEqual([
      'clientId,clientName,month,totalMinutes,trackedMinutes,currency,amount',
      `${client.id},'=Globex,2024-12,60,60,USD,60.00`,
      `${client.id},'=Globex,2025-01,0,30,USD,0.00`,
      ',,2025-01,20,20,JPY,30',
      '',
    ]);
  });

  it('needs groupBy for CSV', async () => {
    const reply = await ana.send('GET', path, { query: range, headers: { accept: 'text/csv' } });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual([{ path: 'groupBy', message: expect.any(String), code: 'required' }]);
  });
});
