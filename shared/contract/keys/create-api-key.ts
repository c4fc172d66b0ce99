import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { idInput, integerFrom, list, nameText } from '#shared/contract/fields.ts';
import { apiKey, exampleApiKey } from '#shared/contract/keys/api-key.ts';
import { component, described, explained } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';
import { NEW_KEY_WEIGHT } from '#shared/contract/weight.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';

const MINUTE_IN_DAYS = 1 / 1_440;

const issuedApiKey = component('IssuedApiKey', 'A new key, with its secret.', {
  ...apiKey.entries,
  apiKey: described(v.string(), 'The key itself. It is shown this once and never again.'),
});

const scopes = v.pipe(
  list(v.picklist(SCOPES), SCOPES.length),
  v.minLength(1),
  v.transform((sent) => [...new Set(sent)]),
);

const createBody = v.pipe(
  explained(apiKey, {
    name: nameText(100),
    scopes,
    user: described(
      v.optional(nameText(100)),
      'Name of the user of the key, ignoring case and surrounding space; a new name makes a new user, an admin. By default the creator. Another user needs the scope `organization:write`.',
    ),
    userId: described(v.optional(idInput), 'The user of the key, instead of its name.'),
    rateLimit: described(
      v.optional(integerFrom(1, 1_000_000)),
      'The number of requests that the key allows per minute; by default, and at most, that of its creator.',
    ),
    expiresInDays: described(
      v.optional(v.pipe(v.number(), v.minValue(MINUTE_IN_DAYS), v.maxValue(36_500))),
      'The days until the key expires; fractions are allowed, down to a minute. The key expires with its creator by default, and never later.',
    ),
  }),
  rule(
    'conflict',
    'either `user` or `userId`',
    {},
    ({ user, userId }) => user === undefined || userId === undefined,
    'user',
  ),
);

export const createApiKey = defineEndpoint({
  operationId: 'createApiKey',
  method: 'POST',
  path: '/v1/api-keys',
  area: 'keys',
  summary: 'Issue an API key',
  description: [
    'A key belongs to the organization of its creator and can hold only scopes that its creator holds. It allows no more requests a minute and expires no later. When its creator is revoked, so is it.',
    'An organization has at most 1,000 keys, not counting revoked and expired ones, and at most 1,000 users.',
  ].join('\n\n'),
  scope: 'keys:write',
  weight: NEW_KEY_WEIGHT,
  idempotencyKey: false,
  body: createBody,
  events: ['user.created', 'api_key.created'],
  response: { kind: 'resource', status: 201, schema: issuedApiKey },
  problems: [
    'limits_not_grantable',
    'reference_not_found',
    'scope_not_grantable',
    'too_many_api_keys',
    'too_many_users',
  ],
  example: {
    body: { name: 'Reporting', scopes: ['products:read'] },
    response: { ...exampleApiKey, apiKey: 'bw_EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPL-0000' },
  },
});
