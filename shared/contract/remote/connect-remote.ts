import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { text } from '#shared/contract/fields.ts';
import { connected, exampleConnection } from '#shared/contract/remote/connection.ts';
import { PROVIDER_WEIGHT } from '#shared/contract/weight.ts';

/** The limit of KMS. Characters that would exceed it in UTF-8 cannot stand in a header either. */
const MAX_TOKEN_CHARACTERS = 4_096;

const connectBody = v.object({
  accessToken: v.pipe(
    text(1, MAX_TOKEN_CHARACTERS),
    v.description('A personal access token of the provider. It is stored encrypted and never returned.'),
  ),
  accountId: v.pipe(text(1, 100), v.description("The provider's id of the account that the token is for.")),
});

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
  events: ['remote.connected', 'remote.updated'],
  response: { kind: 'resource', status: 200, schema: connected },
  problems: ['invalid_remote_credential', 'remote_unavailable', 'remote_throttled', 'remote_timed_out'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { body: { accessToken: '<ACCESS_TOKEN>', accountId: '1234567' }, response: exampleConnection },
});
