import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { connected, exampleConnection, notConnected } from '#shared/contract/remote/connection.ts';

const status = v.pipe(
  v.variant('connected', [connected, notConnected]),
  v.description('The connection, if there is one.'),
  v.title('RemoteConnectionStatus'),
);

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
