import { describe, expect, it } from 'vitest';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { readEntryList, WHOLE_LIST } from '#shared/data/tracker/entry-list.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Sending } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const { path } = listEntries;

const DAYS = Array.from({ length: 20 }, (_, i) => `2026-03-${String(i + 1).padStart(2, '0')}`);

const exported = (by: User, query: Sending['query'] = {}) =>
  by.send('GET', path, { query, headers: { accept: 'text/csv' } });

describe('an export', () => {
  it('has 10,000 rows and no more, and refuses more before it reads them', async () => {
    const ana = await given.user({ currency: 'USD' });
    await bookEntries(ana, null, 10_000, DAYS);
    await bookEntries(ana, null, 1, ['2026-04-01']);
    for (const query of [{}, { q: 'work' }, { userId: ana.userId }]) {
      const refused = await exported(ana, query);
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'export_too_large', errors: [{ path: 'dateFrom' }] },
      });
    }
    const most = await exported(ana, { dateTo: '2026-03-31' });
    expect(most.status).toBe(200);
    const rows = most.body.split('\r\n');
    expect(rows).toHaveLength(10_000 + 2);
    expect(new Set(rows.map((row: string) => row.split(',')[0])).size).toBe(10_000 + 2);
    const cost = await costOf(() => expect(readEntryList(ana.organization.id, {}, WHOLE_LIST)).rejects.toThrow());
    expect(cost.readUnits).toBeLessThanOrEqual(10);
  }, 240_000);

  it('has at most 5 MB', async () => {
    const ana = await given.user();
    await bookEntries(ana, null, 900, DAYS, '€'.repeat(2_000));
    expect(await exported(ana)).toMatchObject({ status: 400, body: { code: 'export_too_large' } });
    expect((await exported(ana, { dateTo: '2026-03-05' })).status).toBe(200);
  }, 120_000);
});
