import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { calendarPartition } from '#shared/data/layout/keys.ts';
import { queryAll } from '#shared/data/table/query.ts';
import { readCalendarDays } from '#shared/data/tracker/calendar.ts';
import { readEntries, writeEntries } from '#shared/data/tracker/entries.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import { given } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';
import { removeStoredEntry } from '#test/support/stored.ts';

const DATE = '2026-11-20';

describe('a calendar', () => {
  it('counts what many book at once in items beside the month, and what they remove again', async () => {
    const { organization, userId, list } = await scene();
    const owner = { organizationId: organization.id, userId, currency: 'USD' };
    const draft = { description: 'Work', durationMinutes: 60, billable: true, entryDate: DATE };
    const entries = Array.from({ length: 30 }, () => newEntry(draft, null, owner, uuidV7(), new Date()));
    await Promise.all(entries.map((after) => writeEntries(organization.id, [{ before: null, after }])));
    expect((await itemsOf(organization.id)).length).toBeGreaterThan(1);
    expect((await list()).meta.total).toBe(30);
    const stored = await readEntries(
      organization.id,
      entries.map(({ id }) => id),
    );
    await Promise.all(stored.slice(1).map((entry) => removeStoredEntry(entry)));
    const days = await readCalendarDays(organization.id, { from: DATE, to: DATE });
    expect(days.reduce((sum, { entries: count }) => sum + count, 0)).toBe(1);
    expect(await list()).toMatchObject({ meta: { total: 1 }, data: [{ id: stored[0]?.id }] });
  });
});

it('tells a search which days are empty again, so that it does not read them', async () => {
  const ana = await given.user();
  const query = { q: 'work', dateFrom: '2026-11-01', dateTo: '2026-11-30' };
  const callsOf = async () => (await costOf(() => invoke(listEntries, ana, { query }))).calls;
  await bookEntries(ana, null, 1, [DATE]);
  // The first search also reads the directory.
  await callsOf();
  const before = await callsOf();
  const others = await bookEntries(ana, null, 3, ['2026-11-02', '2026-11-03', '2026-11-04']);
  expect(await callsOf()).toBe(before + 3);
  for (const entry of await readEntries(ana.organization.id, others)) await removeStoredEntry(entry);
  expect(await callsOf()).toBe(before);
});

async function scene() {
  const ana = await given.user();
  const list = async () => (await ana.get('/v1/work/tracker/entries', { dateFrom: '2020-01-01' })).body;
  return { ...ana, list };
}

function itemsOf(organizationId: string) {
  const values = { ':partition': calendarPartition(organizationId) };
  return queryAll({ KeyConditionExpression: 'pk = :partition', ExpressionAttributeValues: values });
}
