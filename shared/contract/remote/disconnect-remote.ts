import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { notConnected } from '#shared/contract/remote/connection.ts';

export const disconnectRemote = defineEndpoint({
  operationId: 'disconnectRemote',
  method: 'DELETE',
  path: '/v1/work/tracker/remote',
  area: 'remote',
  summary: 'Disconnect the remote time tracker',
  description: 'Removes the credential and the settings of the sync. Imported entries and the history of imports stay.',
  scope: 'tracker:remote',
  events: ['remote.disconnected'],
  response: { kind: 'resource', status: 200, schema: notConnected },
  problems: ['not_found'],
  example: { response: { connected: false } },
});
