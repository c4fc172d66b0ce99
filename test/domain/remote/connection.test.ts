import { describe, expect, it } from 'vitest';
import {
  beginSync,
  type Credential,
  connect,
  dueAfterSync,
  isBeginning,
  isOfProvider,
  presentConnection,
  type RemoteConnection,
  reviseSettings,
  SYNC_PROBLEMS,
  withNextSlice,
} from '#shared/domain/remote/connection.ts';
import { type Progress, readingOf } from '#shared/domain/remote/sync-progress.ts';

const credential: Credential = {
  organizationId: 'organization',
  userId: 'ana',
  accountId: '1',
  accountName: 'Initech',
  visibility: 'all',
  encryptedToken: 'c2VjcmV0',
};

const fresh = connect(undefined, credential);
const on = reviseSettings(fresh, { syncEnabled: true });

/** Hours and minutes of one day. */
const at = (time: string) => `2026-11-20T${time}:00.000Z`;
const clock = (time: string) => new Date(at(time));

const synced: RemoteConnection = {
  ...on,
  lastSyncAt: at('10:00'),
  lastSyncStatus: 'succeeded',
  lastSyncEntriesImported: 3,
  syncedUntil: at('10:00'),
  comparedAt: at('10:00'),
  dueAt: at('11:00'),
};

/** What a sync has reached that begins at a time and has read nothing yet. */
const reachedAt = (time: string, progress: Progress = synced) => {
  const { syncedUntil, comparedAt, hasGap, unusableEntries } = progress;
  return { syncedUntil, comparedAt, hasGap, unusableEntries, reading: readingOf(progress, at(time)) };
};

const syncing = {
  ...synced,
  sync: { jobId: 'one', at: at('11:00'), until: at('11:30'), reached: reachedAt('11:00'), entriesBefore: 0 },
} satisfies RemoteConnection;

const readToTheEnd = { ...syncing.sync, reached: { ...syncing.sync.reached, reading: null } };

/** A sync of which one part has made 5 entries, and more is to come. */
const unfinished: RemoteConnection = {
  ...synced,
  lastSyncAt: at('11:00'),
  lastSyncEntriesImported: 5,
  reading: reachedAt('11:00').reading,
};

it('a new connection is not synced until that is switched on, and then every hour', () => {
  expect(fresh).toEqual({
    ...credential,
    syncEnabled: false,
    syncIntervalMinutes: 60,
    lastSyncAt: null,
    lastSyncStatus: 'idle',
    lastSyncProblem: null,
    lastSyncEntriesImported: 0,
    syncedUntil: null,
    comparedAt: null,
    hasGap: false,
    unusableEntries: 0,
    reading: null,
    failures: 0,
    sync: null,
    dueAt: '1970-01-01T00:00:00.000Z',
  });
});

it('the provider fails where it cannot be reached or does not answer, whatever else fails for one organization', () => {
  expect(SYNC_PROBLEMS.filter(isOfProvider)).toEqual(['remote_unavailable', 'remote_timed_out']);
});

describe('a connection that connects again', () => {
  it('keeps everything but its credential, and forgets its failures', () => {
    const renewed = { ...credential, userId: 'bea', accountName: 'Initrode', encryptedToken: 'bmV3' };
    const backedOff = { ...synced, failures: 7, dueAt: '2026-11-21T10:00:00.000Z' };
    expect(connect(backedOff, renewed)).toEqual({ ...synced, ...renewed, failures: 0, dueAt: at('11:00') });
  });

  it('keeps its settings alone when the account is another', () => {
    const other = { ...credential, accountId: '2' };
    const settings = { syncEnabled: true, syncIntervalMinutes: 15 };
    expect(connect({ ...syncing, ...settings }, other)).toEqual({ ...connect(undefined, other), ...settings });
  });
});

describe('a connection whose sync is switched on', () => {
  it('is due at once if it was never synced', () => {
    expect(on.dueAt < at('00:00')).toBe(true);
  });

  it('is due one interval after its last sync, also when the interval changes', () => {
    expect(reviseSettings({ ...synced, syncEnabled: false }, { syncEnabled: true }).dueAt).toBe(at('11:00'));
    expect(reviseSettings(synced, { syncEnabled: true, syncIntervalMinutes: 15 }).dueAt).toBe(at('10:15'));
    expect(reviseSettings(synced, { syncEnabled: true, syncIntervalMinutes: 60 })).toBe(synced);
  });

  it('stays as it is while a sync is under way, whose end takes the new interval', () => {
    const changed = reviseSettings({ ...syncing, dueAt: at('11:30') }, { syncEnabled: true, syncIntervalMinutes: 15 });
    expect(changed.dueAt).toBe(at('11:30'));
    expect(dueAfterSync(changed, readToTheEnd).succeeded).toBe(at('11:15'));
  });
});

describe('a sync', () => {
  const asked = { jobId: 'two', at: at('11:00') };
  const begin = (connection: RemoteConnection, time = '11:00') => beginSync(connection, asked, clock(time));

  it('begins where it is due, and says until when it is thought to live', () => {
    expect(begin(synced)).toEqual({
      ...synced,
      sync: { jobId: 'two', at: at('11:00'), until: at('11:30'), reached: reachedAt('11:00'), entriesBefore: 0 },
    });
    expect(begin(on)?.sync?.jobId).toBe('two');
  });

  it('does not begin where it is switched off, or not due', () => {
    expect(begin({ ...synced, syncEnabled: false })).toBeUndefined();
    expect(begin({ ...synced, lastSyncAt: at('10:01') })).toBeUndefined();
    expect(begin({ ...synced, syncIntervalMinutes: 61 })).toBeUndefined();
  });

  it('does not begin beside another one that may live', () => {
    expect(begin(syncing, '11:29')).toBeUndefined();
  });

  const askedLater = (connection: RemoteConnection, time: string) =>
    beginSync(connection, { jobId: `of ${time}`, at: at(time) }, clock(time));

  it('takes another one that must be dead for a failure, and begins when it is due after that', () => {
    const failed = {
      ...synced,
      lastSyncAt: at('11:00'),
      lastSyncStatus: 'failed',
      lastSyncProblem: 'sync_interrupted',
      lastSyncEntriesImported: 0,
      failures: 1,
    };
    expect(askedLater(syncing, '11:30')).toEqual({ ...failed, sync: null, dueAt: at('12:00') });
    expect(askedLater({ ...syncing, dueAt: at('12:30') }, '12:00')).toEqual({
      ...failed,
      sync: { jobId: 'of 12:00', at: at('12:00'), until: at('12:30'), reached: reachedAt('12:00'), entriesBefore: 0 },
      dueAt: at('12:30'),
    });
    expect(askedLater({ ...syncing, syncEnabled: false }, '12:00')).toBeUndefined();
  });

  it('that dies five times in a row, the first time too, is made once a day', () => {
    let connection = on;
    for (const hour of [10, 11, 12, 13, 14]) {
      const begun = askedLater(connection, `${hour}:00`);
      expect(begun?.sync?.at).toBe(at(`${hour}:00`));
      if (begun) connection = begun;
    }
    const backedOff = askedLater(connection, '15:00');
    expect(backedOff).toMatchObject({ sync: null, failures: 5, dueAt: '2026-11-21T14:00:00.000Z' });
  });

  it('begins again for the same message, whose first delivery may have died', () => {
    const again = beginSync(syncing, { jobId: 'one', at: at('11:00') }, clock('11:10'));
    expect(again?.sync).toEqual({ ...syncing.sync, until: at('11:40') });
  });

  it('counts anew what cannot be imported, unless it goes on with an unfinished one or is the same', () => {
    const counted = (connection: RemoteConnection, jobId = 'two') => {
      const begun = beginSync({ ...connection, unusableEntries: 7 }, { jobId, at: at('11:00') }, clock('11:00'));
      return [begun?.unusableEntries, begun?.sync?.reached.unusableEntries];
    };
    expect(counted(synced)).toEqual([0, 0]);
    expect(counted({ ...unfinished, lastSyncAt: at('10:00'), lastSyncStatus: 'failed' })).toEqual([0, 0]);
    expect(counted(unfinished)).toEqual([7, 7]);
    expect(counted(syncing, 'one')).toEqual([7, 7]);
    expect(presentConnection({ ...synced, unusableEntries: 7 }, clock('11:00')).lastSyncUnusableEntries).toBe(7);
  });

  it('is as long under way by a clock that is behind the one of the schedule', () => {
    expect(begin(synced, '09:00')?.sync?.until).toBe(at('11:30'));
  });

  it('is followed by the next after an interval, after five failures in a row after a day', () => {
    const next = (failures: number) => dueAfterSync({ ...syncing, failures }, readToTheEnd);
    for (const failures of [0, 1, 2, 3])
      expect(next(failures)).toEqual({ succeeded: at('12:00'), failed: at('12:00') });
    for (const failures of [4, 5, 100]) {
      expect(next(failures)).toEqual({ succeeded: at('12:00'), failed: '2026-11-21T11:00:00.000Z' });
    }
  });

  it('that has more to read goes on at once, but after a failure only when the next sync is due', () => {
    const next = (failures: number) => dueAfterSync({ ...syncing, failures }, syncing.sync);
    expect(next(0)).toEqual({ succeeded: on.dueAt, failed: at('12:00') });
    expect(next(4)).toEqual({ succeeded: on.dueAt, failed: '2026-11-21T11:00:00.000Z' });
    expect(begin(unfinished)?.sync).toMatchObject({ reached: { reading: unfinished.reading }, entriesBefore: 5 });
    expect(begin({ ...unfinished, lastSyncStatus: 'failed', failures: 1 })).toBeUndefined();
  });

  it('is told from its next parts, however it has failed before', () => {
    const isNew = (connection: RemoteConnection, time: string) => {
      const begun = askedLater(connection, time);
      return begun?.sync && isBeginning(begun, begun.sync);
    };
    expect(isNew(on, '11:00')).toBe(true);
    expect(isNew(synced, '11:00')).toBe(true);
    expect(isNew(unfinished, '12:00')).toBe(false);
    expect(isNew({ ...unfinished, lastSyncStatus: 'failed', failures: 1 }, '12:00')).toBe(true);
  });

  it('has imported all that it had reached when it goes on to the next slice', () => {
    const reached = { ...syncing.sync.reached, syncedUntil: at('11:00'), reading: null };
    const further = withNextSlice(
      withNextSlice(syncing, syncing.sync, reached),
      { ...syncing.sync, reached },
      { ...reached, hasGap: true },
    );
    expect(further).toEqual({
      ...syncing,
      ...reached,
      sync: { ...syncing.sync, reached: { ...reached, hasGap: true } },
    });
  });

  it('is shown as under way until it must be dead, and then as failed', () => {
    const shown = (connection: RemoteConnection, time: string) => {
      const { lastSyncStatus, lastSyncProblem } = presentConnection(connection, clock(time));
      return [lastSyncStatus, lastSyncProblem];
    };
    expect(shown(on, '11:00')).toEqual(['idle', null]);
    expect(shown(synced, '11:00')).toEqual(['succeeded', null]);
    expect(shown(syncing, '11:29')).toEqual(['syncing', null]);
    expect(shown(syncing, '11:30')).toEqual(['failed', 'sync_interrupted']);
    expect(shown(unfinished, '11:00')).toEqual(['syncing', null]);
    expect(shown({ ...unfinished, syncEnabled: false }, '11:00')).toEqual(['succeeded', null]);
    const failed = { ...unfinished, lastSyncStatus: 'failed', lastSyncProblem: 'remote_timed_out' } as const;
    expect(shown(failed, '11:00')).toEqual(['failed', 'remote_timed_out']);
    expect(shown({ ...synced, hasGap: true }, '11:00')).toEqual(['succeeded', 'too_many_remote_entries']);
  });
});
