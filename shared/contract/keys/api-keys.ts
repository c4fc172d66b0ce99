import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import {
  createdAt,
  idInput,
  limit,
  list,
  nameText,
  offset,
  organizationId,
  timestamp,
  uuid,
} from '#shared/contract/fields.ts';
import { described, explainedBy } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';
import { NEW_KEY_WEIGHT } from '#shared/contract/weight.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';

const MINUTE_IN_DAYS = 1 / 1_440;

export const apiKey = v.pipe(
  v.object({
    id: described(uuid, 'The id of the key, which is not the key itself.'),
    name: described(v.string(), 'The name given by its maker.'),
    organizationId,
    userId: described(uuid, 'The user that the key belongs to.'),
    scopes: described(v.array(v.picklist(SCOPES)), 'The scopes that the key holds.'),
    rateLimit: described(v.pipe(v.number(), v.integer()), 'The number of requests that the key allows per minute.'),
    expiresAt: described(v.nullable(timestamp), 'When the key expires; null: never.'),
    createdByKeyId: described(
      v.nullable(uuid),
      'The key that made this one, and with which it ends; null for one that an operator or a person who signed in made.',
    ),
    createdAt,
  }),
  v.description('A key of the organization, without its secret.'),
  v.title('ApiKey'),
);

const issuedApiKey = v.pipe(
  v.object({
    ...apiKey.entries,
    apiKey: described(v.string(), 'The key itself. It is shown this once and never again.'),
  }),
  v.description('A new key, with its secret.'),
  v.title('IssuedApiKey'),
);

const scopes = v.pipe(
  list(v.picklist(SCOPES), SCOPES.length),
  v.minLength(1),
  v.transform((sent) => [...new Set(sent)]),
);

const createBody = v.pipe(
  v.object({
    name: nameText(100),
    scopes,
    user: described(
      v.optional(nameText(100)),
      'Name of the user of the key, ignoring case and surrounding space; a new name makes a new user, an admin. By default the creator. Another user needs the scope `organization:write`.',
    ),
    userId: described(v.optional(idInput), 'The user of the key, instead of its name.'),
    rateLimit: described(
      v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000))),
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
  explainedBy(apiKey),
);

const exampleApiKey = {
  id: '019aa2f5-1100-7c0a-8e21-5a6b7c8d9e0f',
  name: 'Reporting',
  organizationId: '019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c',
  userId: '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f',
  scopes: ['products:read'],
  rateLimit: 600,
  expiresAt: null,
  createdByKeyId: '019aa2f4-7900-7c4e-b2d8-1e3f5a7b9c0d',
  createdAt: '2026-11-20T09:30:00.000Z',
};

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

export const listApiKeys = defineEndpoint({
  operationId: 'listApiKeys',
  method: 'GET',
  path: '/v1/api-keys',
  area: 'keys',
  summary: "List the organization's API keys, newest first",
  scope: 'keys:read',
  query: v.object({ limit: limit(200, 50), offset }),
  response: { kind: 'list', item: apiKey },
  example: { response: exampleApiKey },
});

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
  response: { kind: 'deletion' },
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: {},
});
