import { beforeAll, describe, expect, it } from 'vitest';
import { projectKey } from '#shared/data/layout/keys.ts';
import { sumsUpdate } from '#shared/data/table/sums.ts';
import { type TransactItem, transact } from '#shared/data/table/transaction.ts';
import { readEntry } from '#shared/data/tracker/entries.ts';
import { ledgerUpdates } from '#shared/data/tracker/ledger.ts';
import { GROUPINGS } from '#shared/domain/tracker/summary-groups.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

/** No sum may ever be wrong. If one were, it would be shown, and would take nothing else with it. */

const TRACKER = '/v1/work/tracker';
const MONTH = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };
const NEGATIVE = { totalMinutes: -60, totalAmount: -0.05 };

let ana: User;
let project: Json;

/** An entry of an hour for five cents, which all sums have lost twice. */
beforeAll(async () => {
  ana = await given.user();
  project = await given.project(ana, { rate: 0.05, billable: true });
  const { id } = await given.entry(ana, { projectId: project.id, billable: true });
  const before = await readEntry(ana.organization.id, id);
  const lost = Array(2).fill({ before, after: null });
  const totals = new Map([
    ['totalMinutes', -120n],
    ['billableMinutes', -120n],
    ['amount_USD', -10n],
  ]);
  const items: (TransactItem | undefined)[] = [
    ...ledgerUpdates(lost),
    sumsUpdate(projectKey(ana.organization.id, project.id), totals),
  ];
  await transact(items.filter((item) => item !== undefined));
});

async function answer(path: string, query?: Json): Promise<Json> {
  const { status, body } = await ana.get(`${TRACKER}${path}`, query);
  expect(status).toBe(200);
  return body.data ?? body;
}

describe('a sum that is negative', () => {
  it('is shown in the project, and in the list of projects', async () => {
    const shown = {
      ...NEGATIVE,
      billableMinutes: -60,
      amountsByCurrency: [{ currency: 'USD', amount: '-0.05' }],
    };
    expect(await answer(`/projects/${project.id}`)).toMatchObject(shown);
    expect(await answer('/projects')).toMatchObject([shown]);
  });

  it('is shown in the summary, of a month and of a year', async () => {
    for (const range of [MONTH, { dateFrom: '2026-01-01', dateTo: '2026-12-31' }]) {
      expect(await answer('/entries/summary', range)).toMatchObject({
        ...NEGATIVE,
        trackedMinutes: -60,
        byProject: [{ ...NEGATIVE, trackedMinutes: -60 }],
        byCurrency: [NEGATIVE],
      });
    }
  });

  it.each(GROUPINGS.filter((groupBy) => groupBy !== 'user'))('is shown in groups by %s', async (groupBy) => {
    const { groups } = await answer('/entries/summary', { ...MONTH, groupBy });
    expect(groups).toMatchObject([
      { totalMinutes: -60, trackedMinutes: -60, amounts: [{ currency: 'USD', amount: '-0.05' }] },
    ]);
  });

  it.each([{}, MONTH, { source: 'native_tracker' }, { q: 'work' }, { billable: true, ...MONTH }])(
    'leaves the list of entries readable that is asked for %o',
    async (query) => {
      await answer('/entries', query);
    },
  );
});
