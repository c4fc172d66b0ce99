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
    [{ dateTo: '2026-01-01' }, 'dateFrom', 'required'],
    [{ dateFrom: '2026-01-01' }, 'dateTo', 'required'],
    [{ dateFrom: '2026-01-32', dateTo: '2026-01-01' }, 'dateFrom', 'date'],
  ])('refuses %o', async (query, member, code) => {
    const reply = await ana.get(path, query);
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual([{ path: member, message: expect.any(String), code }]);
  });

  it('answers 400 to a range that ends before it begins', async () => {
    const reply = await ana.get(path, { dateFrom: '2026-02-02', dateTo: '2026-02-01' });
    expect(reply.status).toBe(400);
    expect(reply.body.code).toBe('invalid_date_range');
  });
});
