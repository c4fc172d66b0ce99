import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';

const own = useOwnCloud();

const REMOTE = '/v1/work/tracker/remote';

const rows = Array.from({ length: 300 }, (_, i) => ({
  date: `2026-${String(1 + (i % 12)).padStart(2, '0')}-01`,
  durationMinutes: 1,
  externalId: `${i}`,
}));

const DENIED = {
  status: 400,
  body: JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#AccessDeniedException', message: 'no' }),
};

describe('an import whose rows cannot be written', () => {
  it('ends as failed with what was imported, and the caller who waits hears of it', async () => {
    const ana = await given.user();
    await given.connection(ana);
    let transactions = 0;
    const end = own.cloud.intercept((call) => {
      const isImport = isOf(call, 'import-chunk') && call.operation === 'TransactWriteItems';
      return isImport && transactions++ > 0 ? DENIED : undefined;
    });
    const { status, body } = await ana.post(`${REMOTE}/sync/confirm`, { rows });
    end();
    expect(status).toBe(500);
    expect(body).toMatchObject({ code: 'import_failed', detail: expect.stringMatching(/ of 300 rows/) });
    const [job] = (await ana.get(`${REMOTE}/sync/history`)).body.data;
    expect(job).toMatchObject({ status: 'failed', rowCountTotal: 300, rowCountValid: 300, rowCountDeduped: 0 });
    expect(job.importedCount).toBeGreaterThan(0);
    expect(job.importedCount + job.skippedCount).toBe(300);
    const { total } = (await ana.get('/v1/work/tracker/entries')).body.meta;
    expect(total).toBe(job.importedCount);
    const again = await ana.post(`${REMOTE}/sync/confirm`, { rows });
    expect(again.body.data).toMatchObject({ importedCount: 300 - total, skippedCount: total });
  });
});
