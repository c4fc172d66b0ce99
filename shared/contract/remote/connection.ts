import * as v from 'valibot';
import { count, integer, timestamp } from '#shared/contract/fields.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { visibility } from '#shared/contract/remote/rows.ts';
import { SYNC_PROBLEMS, SYNC_STATUSES } from '#shared/domain/remote/connection.ts';

export const notConnected = component('NotConnected', 'There is no connection.', {
  connected: described(v.literal(false), 'False: there is no connection.'),
});

export const connected = component(
  'RemoteConnection',
  'The connection to the remote time tracker, and its scheduled sync.',
  {
    connected: described(v.literal(true), 'True: there is a connection.'),
    accountName: described(v.string(), 'The name of the account at the provider.'),
    visibility,
    lastSyncAt: described(
      v.nullable(timestamp),
      'When the last scheduled sync, or the last part of it, ran, successfully or not; null before the first.',
    ),
    lastSyncStatus: described(
      v.picklist(SYNC_STATUSES),
      'The outcome of the last scheduled sync; `idle` before the first; `syncing` while parts of it are missing.',
    ),
    lastSyncProblem: described(
      v.nullable(v.picklist(SYNC_PROBLEMS)),
      'Why the last scheduled sync failed; null if nothing is wrong. `too_many_remote_entries`: a single day exceeds 10,000 entries; unless the status is `failed`, only the weekly comparison has left out that day. `sync_interrupted`: the sync did not end in time. The other codes are those of the problems of a preview or a confirm.',
    ),
    lastSyncEntriesImported: described(count, 'The number of entries that the last scheduled sync made.'),
    lastSyncUnusableEntries: described(
      count,
      'The number of entries that the last scheduled sync left out because they cannot be imported. A preview of their days names them.',
    ),
    syncEnabled: described(v.boolean(), 'Whether new work is imported on a schedule.'),
    syncIntervalMinutes: described(v.pipe(integer, v.minValue(1)), 'The minutes between two scheduled syncs.'),
  },
);

export const exampleConnection = {
  connected: true,
  accountName: 'Northwind Traders',
  visibility: 'all',
  lastSyncAt: null,
  lastSyncStatus: 'idle',
  lastSyncProblem: null,
  lastSyncEntriesImported: 0,
  lastSyncUnusableEntries: 0,
  syncEnabled: false,
  syncIntervalMinutes: 60,
} as const;
