import { expect, it } from 'vitest';
import { outcomeOf } from '#shared/domain/remote/import-outcome.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import { importOf, plannedRow } from '#test/support/remote-rows.ts';

const BEGUN = '2026-11-20T12:00:00.000Z';
const now = new Date('2026-11-20T12:00:05.000Z');
const later = new Date('2026-11-21T12:00:00.000Z');

const job = importOf({ createdAt: BEGUN });
const row = plannedRow({ client: 'Globex', user: 'Ada', rate: '80', tags: ['Design'] });
const made = outcomeOf(row, undefined, job, now);
if (!made) throw new Error('A new row makes an entry.');

it('a new row makes an entry of all that it says, as old as its import', () => {
  const work = { description: 'Work', durationMinutes: 30, billable: true, rate: '80', tags: ['Design'] };
  const owner = { organizationId: 'org', userId: 'ana', currency: 'EUR' };
  const typedIn = newEntry({ ...work, entryDate: '2026-11-20' }, null, owner, 'entry', new Date(BEGUN));
  const origin = { jobId: 'job', accountId: 'account', externalId: '1', userLabel: 'Ada' };
  expect(made).toEqual({
    ...typedIn,
    source: 'remote_api',
    clientLabel: 'Globex',
    imported: { ...origin, content: 'new', isEdited: false },
    updatedAt: now.toISOString(),
  });
  expect(outcomeOf(row, undefined, { ...job, origin: 'Toggl' }, now)).toEqual({ ...made, source: 'import' });
});

it('a linked client leaves no label, and a row says itself whose work it is and what is billed', () => {
  const mapped = { clientId: 'c', projectId: 'p', userId: 'ben', billedMinutes: 45 };
  expect(outcomeOf({ ...row, ...mapped }, undefined, job, now)).toEqual({ ...made, ...mapped, clientLabel: null });
});

it('a changed row changes its entry, but not whose it is, where it came from, and what was billed by hand', () => {
  const timed = { startedAt: BEGUN, endedAt: BEGUN, userId: 'ben', billedMinutes: 50, hasMetadata: true };
  const stored = { ...made, ...timed, imported: made.imported && { ...made.imported, isEdited: true } };
  const imported = made.imported && { ...made.imported, content: 'newer' };
  const kept = { ...stored, startedAt: null, endedAt: null, imported, updatedAt: later.toISOString() };
  const next = { ...job, id: 'next' };
  const changed = { ...row, content: 'newer' };
  expect(outcomeOf(changed, stored, next, later)).toEqual(kept);
  const longer = { durationMinutes: 31, billedMinutes: 31 };
  expect(outcomeOf({ ...changed, ...longer }, stored, next, later)).toEqual({ ...kept, ...longer });
  expect(outcomeOf({ ...changed, user: 'Grace' }, stored, next, later)).toMatchObject({ userId: 'ana' });
  expect(outcomeOf(row, stored, next, later)).toBeNull();
});
