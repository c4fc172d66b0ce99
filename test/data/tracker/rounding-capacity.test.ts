import { expect, it } from 'vitest';
import { createEntry } from '#shared/contract/tracker/create-entry.ts';
import { summarizeEntries } from '#shared/contract/tracker/summarize-entries.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

const QUARTERS = { minutes: 15, mode: 'up', minimumMinutes: 0 };

it('a rule of rounding costs nothing more of an entry, and at most a tenth more of the sums of a month, where each day is rounded', async () => {
  const days = Array.from({ length: 30 }, (_, i) => `2026-11-${String(i + 1).padStart(2, '0')}`);
  const costs = async (rounding: Json | null) => {
    const by = await given.user();
    await by.patch('/v1/organization', { rounding });
    const projects = await Promise.all(days.map(() => given.project(by, { rate: 60, rounding })));
    for (const project of projects) await bookEntries(by, project, days.length, days);
    const body = { description: 'Work', durationMinutes: 60, entryDate: '2026-11-20', projectId: projects[0]?.id };
    await invoke(createEntry, by, { body });
    const { calls, readUnits, writeUnits } = await costOf(() => invoke(createEntry, by, { body }));
    const query = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };
    const ofMonth = await costOf(() => invoke(summarizeEntries, by, { query }));
    return { ofEntry: { calls, readUnits, writeUnits }, ofMonth };
  };
  const [plain, rounded] = [await costs(null), await costs(QUARTERS)];
  expect(rounded.ofEntry).toEqual(plain.ofEntry);
  expect(rounded.ofMonth.calls).toBe(plain.ofMonth.calls);
  expect(rounded.ofMonth.readUnits).toBeLessThanOrEqual(1.1 * plain.ofMonth.readUnits);
});
