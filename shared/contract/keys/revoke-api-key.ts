import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { described } from '#shared/contract/meaning.ts';

export const revokeApiKey = defineEndpoint({
  operationId: 'revokeApiKey',
  method: 'DELETE',
  path: '/v1/api-keys/{id}',
  area: 'keys',
  summary: 'Revoke an API key',
  description:
    'The key, and all keys that it made, directly or through others, stop working everywhere within 30 seconds.',
  scope: 'keys:write',
  query: v.object({
    keepMade: described(
      v.optional(v.boolean(), false),
      'True revokes this key alone: those that it made live on, as if its own maker had made them. The key of the request must not be among them.',
    ),
  }),
  problems: ['own_family'],
  events: ['api_key.revoked'],
  response: { kind: 'deletion' },
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: {},
});
