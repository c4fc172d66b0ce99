import * as v from 'valibot';
import { createdAt, currency, decimal, integer, text, timestamp, updatedAt, uuid } from '#shared/contract/fields.ts';
import { described, nullableText } from '#shared/contract/meaning.ts';
import { resource } from '#shared/contract/tagged.ts';
import { entry, exampleEntry, periodLocked } from '#shared/contract/tracker/entry.ts';
import { SESSION_STATUSES } from '#shared/domain/tracker/timer.ts';

export const minutes = v.pipe(integer, v.minValue(1));

export const session = resource('TimerSession', 'A timer, from its start to its end.', {
  id: described(uuid, 'The id of the session.'),
  status: described(v.picklist(SESSION_STATUSES), 'Whether it runs, was stopped, or was discarded.'),
  description: described(v.string(), 'The work being done; may be empty.'),
  clientId: described(v.nullable(uuid), 'The client who is billed; null: nobody yet.'),
  clientName: nullableText('The current name of the client; null without one.'),
  projectId: described(v.nullable(uuid), 'The project of the work; null: none.'),
  projectName: nullableText('The current name of the project; null without one.'),
  billable: described(v.boolean(), 'Whether the work is to be billed. No invoice bills time that is not billable.'),
  rate: described(v.nullable(decimal), 'The price of an hour; null: none, and no invoice bills the time.'),
  currency: described(currency, 'The currency of the rate, as an ISO 4217 code.'),
  tags: entry.entries.tags,
  startedAt: described(timestamp, 'When the work began: when the timer was started, unless another time was sent.'),
  stoppedAt: described(v.nullable(timestamp), 'When it was stopped or discarded; null while it runs.'),
  durationMinutes: described(v.nullable(minutes), 'Whole minutes, a started one included; null while it runs.'),
  workEntryId: described(
    v.nullable(uuid),
    'The entry that the stop made; it may be deleted by now. Null if it made none.',
  ),
  userId: described(uuid, 'The user of the timer.'),
  createdAt,
  updatedAt,
});

export const description = text(0, 2_000);

export const exampleSession = {
  id: '019aa2f5-9d00-7c44-a2f3-1b0c9d8e7f6a',
  status: 'running',
  description: 'Kick-off workshop',
  clientId: null,
  clientName: null,
  projectId: null,
  projectName: null,
  billable: true,
  rate: '120',
  currency: 'USD',
  tags: ['design'],
  startedAt: '2026-11-20T09:00:00.000Z',
  stoppedAt: null,
  durationMinutes: null,
  workEntryId: null,
  userId: '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f',
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
};

export const exampleWorkEntry = {
  ...exampleEntry,
  timerSessionId: exampleSession.id,
  createdAt: '2026-11-20T10:30:00.000Z',
  updatedAt: '2026-11-20T10:30:00.000Z',
};

export const exampleEnd = {
  stoppedAt: '2026-11-20T10:30:00.000Z',
  durationMinutes: 90,
  updatedAt: '2026-11-20T10:30:00.000Z',
};

export const exampleStopped = { ...exampleSession, ...exampleEnd, status: 'stopped', workEntryId: exampleWorkEntry.id };

export const ended = described(session, 'The session as it ended.');

export const booked = described(v.nullable(entry), 'The entry that the stop made; null if it made none.');

/** For a stop whose entry would be in the closed period. */
export const lockedStop = {
  period_locked: {
    ...periodLocked.period_locked,
    session: { schema: described(session, 'The timer, which runs on.'), example: exampleSession },
  },
};

/** For the second of two tabs that stop the timer. */
export const notRunning = {
  timer_not_running: {
    session: { schema: ended, example: exampleStopped },
    workEntry: { schema: booked, example: exampleWorkEntry },
  },
};
