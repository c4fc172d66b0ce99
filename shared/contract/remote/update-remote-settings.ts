import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { integerFrom } from '#shared/contract/fields.ts';
import { described, explained } from '#shared/contract/meaning.ts';
import { connected, exampleConnection } from '#shared/contract/remote/connection.ts';

const settingsBody = explained(connected, {
  syncEnabled: v.boolean(),
  syncIntervalMinutes: described(
    v.optional(integerFrom(15, 1_440)),
    'The minutes between two scheduled syncs. Left out, they stay as they are.',
  ),
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
  events: ['remote.updated'],
  response: { kind: 'resource', status: 200, schema: connected },
  problems: ['not_found'],
  example: {
    body: { syncEnabled: true, syncIntervalMinutes: 30 },
    response: { ...exampleConnection, syncEnabled: true, syncIntervalMinutes: 30 },
  },
});
