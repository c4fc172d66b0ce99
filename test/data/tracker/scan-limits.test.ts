import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { calendarKey } from '#shared/data/layout/keys.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { readEntryList } from '#shared/data/tracker/entry-list.ts';

/** Nobody writes so many entries for a test: here the calendar alone counts them. */
async function listOfADay(entries: number, filter: Parameters<typeof readEntryList>[1]) {
  const organizationId = randomUUID();
  await transact([increase(calendarKey(organizationId, '2026-11'), { e: entries, e05: entries })]);
  return readEntryList(organizationId, filter, { offset: 0, limit: 1 });
}

it.each([
  ['a search', { q: 'x' }, 'dateFrom'],
  ['a page of a day that is read whole', {}, 'offset'],
])('%s reads 50,000 entries, and no more', async (_, filter, path) => {
  await expect(listOfADay(50_000, filter)).resolves.toMatchObject({ items: [] });
  const refused = { code: 'range_too_large', details: { errors: [{ path }] } };
  await expect(listOfADay(50_001, filter)).rejects.toMatchObject(refused);
});
