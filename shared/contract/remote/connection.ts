import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { text, timestamp } from '#shared/contract/fields.ts';
import { described, explainedBy } from '#shared/contract/meaning.ts';
import { PROVIDER_WEIGHT } from '#shared/contract/weight.ts';
import { SYNC_PROBLEMS, SYNC_STATUSES } from '#shared/domain/remote/connection.ts';
import { visibility } from './rows.ts';

const notConnected = v.pipe(
  v.object({ connected: described(v.literal(false), 'False: there is no connection.') }),
  v.description('There is no connection.'),
  v.title('NotConnected'),
);

const connected = v.pipe(
  v.object({
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
    lastSyncEntriesImported: described(
      v.pipe(v.number(), v.integer(), v.minValue(0)),
      'The number of entries that the last scheduled sync made.',
    ),
    lastSyncUnusableEntries: described(
      v.pipe(v.number(), v.integer(), v.minValue(0)),
      'The number of entries that the last scheduled sync left out because they cannot be imported. A preview of their days names them.',
    ),
    syncEnabled: described(v.boolean(), 'Whether new work is imported on a schedule.'),
    syncIntervalMinutes: described(
      v.pipe(v.number(), v.integer(), v.minValue(1)),
      'The minutes between two scheduled syncs.',
    ),
  }),
  v.description('The connection to the remote time tracker, and its scheduled sync.'),
  v.title('RemoteConnection'),
);

const status = v.pipe(
  v.variant('connected', [connected, notConnected]),
  v.description('The connection, if there is one.'),
  v.title('RemoteConnectionStatus'),
);

/** The limit of KMS. Characters that would exceed it in UTF-8 cannot stand in a header either. */
const MAX_TOKEN_CHARACTERS = 4_096;

const connectBody = v.object({
  accessToken: v.pipe(
    text(1, MAX_TOKEN_CHARACTERS),
    v.description('A personal access token of the provider. It is stored encrypted and never returned.'),
  ),
  accountId: v.pipe(text(1, 100), v.description("The provider's id of the account that the token is for.")),
});

const settingsBody = v.pipe(
  v.object({
    syncEnabled: v.boolean(),
    syncIntervalMinutes: described(
      v.optional(v.pipe(v.number(), v.integer(), v.minValue(15), v.maxValue(1_440))),
      'The minutes between two scheduled syncs. Left out, they stay as they are.',
    ),
  }),
  explainedBy(connected),
);

const exampleConnection = {
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

export const connectRemote = defineEndpoint({
  operationId: 'connectRemote',
  method: 'POST',
  path: '/v1/work/tracker/remote/connect',
  area: 'remote',
  summary: 'Connect the remote time tracker',
  description:
    'The provider validates the credential before it is stored. Connecting again replaces it, and keeps the settings of the sync and, for the same account, the state of the last sync.',
  waitsForOthers: true,
  scope: 'tracker:remote',
  weight: PROVIDER_WEIGHT,
  idempotencyKey: false,
  body: connectBody,
  response: { kind: 'resource', status: 200, schema: connected },
  problems: ['invalid_remote_credential', 'remote_unavailable', 'remote_throttled', 'remote_timed_out'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { body: { accessToken: '<ACCESS_TOKEN>', accountId: '1234567' }, response: exampleConnection },
});

export const getRemote = defineEndpoint({
  operationId: 'getRemote',
  method: 'GET',
  path: '/v1/work/tracker/remote',
  area: 'remote',
  summary: 'Get the state of the connection and of its sync',
  description: 'If there is no connection, the response is `connected: false` alone.',
  scope: 'tracker:remote',
  response: { kind: 'resource', status: 200, schema: status },
  example: { response: exampleConnection },
});

export const updateRemoteSettings = defineEndpoint({
  operationId: 'updateRemoteSettings',
  method: 'PATCH',
  path: '/v1/work/tracker/remote/settings',
  area: 'remote',
  summary: 'Configure the scheduled sync',
  description: [
    'The first sync is due at once when it is switched on, any other one interval after the last. Syncs start every five minutes. More than 10,000 entries are imported in parts, one every five minutes. A part that has not ended after half an hour has failed; the next sync goes on from there. After five failures in a row a sync is tried once a day.',
    'Names of clients and projects are mapped as a preview maps them. Names of users are mapped only as a confirm has mapped them before: all other work belongs to the user who connected.',
  ].join('\n\n'),
  scope: 'tracker:remote',
  body: settingsBody,
  response: { kind: 'resource', status: 200, schema: connected },
  problems: ['not_found'],
  example: {
    body: { syncEnabled: true, syncIntervalMinutes: 30 },
    response: { ...exampleConnection, syncEnabled: true, syncIntervalMinutes: 30 },
  },
});

export const disconnectRemote = defineEndpoint({
  operationId: 'disconnectRemote',
  method: 'DELETE',
  path: '/v1/work/tracker/remote',
  area: 'remote',
  summary: 'Disconnect the remote time tracker',
  description: 'Removes the credential and the settings of the sync. Imported entries and the history of imports stay.',
  scope: 'tracker:remote',
  response: { kind: 'resource', status: 200, schema: notConnected },
  problems: ['not_found'],
  example: { response: { connected: false } },
});
