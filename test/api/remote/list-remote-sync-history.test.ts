import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

const REMOTE = '/v1/work/tracker/remote';

describe('the history of imports', () => {
  it('has what every import came to, newest first, and nothing of its rows', async () => {
    const ana = await given.user();
    await given.connection(ana);
    const ids: string[] = [];
    for (const description of ['Secret of row 1', 'Secret of row 2', 'Secret of row 3']) {
      const rows = [{ date: '2026-11-20', durationMinutes: 60, description }];
      ids.unshift((await ana.post(`${REMOTE}/sync/confirm`, { rows })).body.data.importJobId);
    }
    const { body } = await ana.get(`${REMOTE}/sync/history`, { limit: 2, offset: 1 });
    expect(body.meta).toEqual({ total: 3, limit: 2, offset: 1 });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1));
    expect(body.data[0]).toMatchObject({
      status: 'imported',
      trigger: 'confirm',
      rowCountTotal: 1,
      rowCountValid: 1,
      rowCountInvalid: 0,
      rowCountDeduped: 0,
      importedCount: 1,
      skippedCount: 0,
      lockedCount: 0,
      completedAt: expect.any(String),
    });
    expect(JSON.stringify(body)).not.toContain('Secret');
  });

  it('is empty for another organization, and outlives the connection', async () => {
    const [ana, bea] = [await given.user(), await given.user()];
    await given.importJob(ana);
    expect((await ana.delete(REMOTE)).status).toBe(200);
    expect((await ana.get(`${REMOTE}/sync/history`)).body.meta.total).toBe(1);
    expect((await bea.get(`${REMOTE}/sync/history`)).body).toEqual({
      data: [],
      meta: { total: 0, limit: 50, offset: 0 },
    });
  });
});
