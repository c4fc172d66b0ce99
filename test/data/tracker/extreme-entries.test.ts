import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { entry as entrySchema } from '#shared/contract/tracker/entry.ts';
import { session as sessionSchema } from '#shared/contract/tracker/timer.ts';
import { entryWrites, parseEntry } from '#shared/data/tracker/entry-items.ts';
import { newImport } from '#shared/domain/remote/import-job.ts';
import { outcomeOf } from '#shared/domain/remote/import-outcome.ts';
import { planRow } from '#shared/domain/remote/import-plan.ts';
import { describedRow, identifyRows } from '#shared/domain/remote/row.ts';
import { type Entry, newEntry, reviseEntry } from '#shared/domain/tracker/entry.ts';
import { presentEntry } from '#shared/domain/tracker/present-entry.ts';
import { newSession, presentSession } from '#shared/domain/tracker/timer.ts';
import { stopSession } from '#shared/domain/tracker/timer-end.ts';
import { FIRST_WORK_DATE, LAST_WORK_DATE } from '#shared/domain/tracker/work-time.ts';
import { NO_LINKS } from '#test/support/no-links.ts';
import { unlessRefused } from '#test/support/unless-refused.ts';

/** Whatever the domain makes of time at the bounds of what may be sent, can be put, read and shown. */

const OWNER = {
  organizationId: '019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c',
  userId: '019aa2f4-7900-7b52-b1c6-0d9e8f7a6b5c',
  currency: 'KWD',
};
const [ID, JOB_ID] = ['019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61', '019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a62'];
const NOW = new Date('2026-11-20T12:00:00.000Z');
const YEAR_MINUTES = 525_600;

const description = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 });
const durationMinutes = fc.constantFrom(1, 61, YEAR_MINUTES);
const day = fc.constantFrom(FIRST_WORK_DATE, '2024-02-29', '2026-03-29', LAST_WORK_DATE);
const rate = fc.constantFrom(null, '0', '0.000001', '99.99', '999999999999.999999');
const currency = fc.constantFrom('VND', 'USD', 'KWD');
const clock = fc.constantFrom('00:00', '02:30', '23:59');
const timeZone = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Pago_Pago');

const tags = fc.array(description, { maxLength: 2 });

const work = { description, durationMinutes, entryDate: day, billable: fc.boolean(), rate, currency, tags, timeZone };

/** With clock times and without. */
const withTimes = <Draft extends object>(draft: fc.Arbitrary<Draft>) =>
  fc
    .tuple(draft, fc.option(fc.record({ startTime: clock, endTime: clock })))
    .map(([members, times]) => ({ ...members, ...times }));

const typedIn = withTimes(fc.record(work)).map((draft) => unlessRefused(() => newEntry(draft, null, OWNER, ID, NOW)));

const timed = fc
  .record({ description, rate, tags, timeZone, minutes: fc.constantFrom(-1, 0, 61, YEAR_MINUTES) })
  .map(({ minutes, timeZone, ...draft }) => {
    const end = new Date(NOW.getTime() + minutes * 60_000);
    const running = newSession(draft, NO_LINKS, OWNER, ID, NOW);
    const { session, entry } = stopSession(running, { createWorkEntry: true, timeZone }, NO_LINKS, ID, end);
    v.parse(sessionSchema, presentSession(session, NO_LINKS));
    return entry;
  });

const job = newImport(
  {
    ...OWNER,
    id: JOB_ID,
    keyId: null,
    accountId: 'account',
    origin: null,
    trigger: 'confirm',
    updateChanged: true,
    totalCount: 1,
    unitCount: 1,
  },
  0,
  NOW,
);

const name = fc.option(description);

const imported = fc
  .record({
    date: day,
    durationMinutes,
    description: fc.constantFrom('', ' ', 'Work'),
    project: name,
    client: name,
    user: name,
    externalId: name,
    billable: fc.boolean(),
    rate,
    currency: fc.option(currency),
    tags,
  })
  .map((row) => {
    const [identified] = identifyRows([describedRow(row)], { ...OWNER, accountId: 'account' });
    const mappings = { clients: new Map(), projects: new Map(), users: new Map() };
    return identified
      ? outcomeOf(planRow(identified, mappings, NO_LINKS.projects, OWNER.currency), undefined, job, new Date(0))
      : null;
  });

const changes = fc.array(withTimes(fc.record(work, { requiredKeys: ['timeZone'] })), { maxLength: 3 });

function assertLasting(entry: Entry): void {
  const items = entryWrites({ before: null, after: entry }).map(({ Put }) => Put?.Item);
  expect(items).toHaveLength(2);
  for (const item of items) {
    const { version, ...read } = parseEntry(OWNER.organizationId, item);
    expect(read).toEqual(entry);
    v.parse(entrySchema, presentEntry(read, NO_LINKS));
  }
}

it.each([
  ['typed in', typedIn],
  ['booked by a timer', timed],
  ['imported', imported],
])('an entry that is %s, and then changed', (_how, entries) => {
  let lasting = 0;
  fc.assert(
    fc.property(entries, changes, (made, sent) => {
      if (!made) return;
      let entry = made;
      assertLasting(entry);
      for (const each of sent) entry = unlessRefused(() => reviseEntry(entry, each, null, NOW)) ?? entry;
      assertLasting(entry);
      lasting += 1;
    }),
    { numRuns: 500 },
  );
  expect(lasting).toBeGreaterThan(400);
});
