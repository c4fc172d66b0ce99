import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { limit, nonBlank, offset, text, timestamp, uuid } from '#shared/contract/fields.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';

/** API keys over HTTP. */

export const apiKey = v.pipe(
  v.object({
    id: uuid,
    name: v.string(),
    organizationId: uuid,
    userId: uuid,
    scopes: v.array(v.picklist(SCOPES)),
    rateLimit: v.pipe(v.number(), v.integer(), v.description('Requests a minute.')),
    expiresAt: v.nullable(timestamp),
    createdAt: timestamp,
  }),
  v.title('ApiKey'),
);

const issuedApiKey = v.pipe(
  v.object({
    ...apiKey.entries,
    apiKey: v.pipe(v.string(), v.description('The key itself. It is shown this once and never again.')),
  }),
  v.title('IssuedApiKey'),
);

/** At least one scope. A scope that is sent twice is stored once. */
const scopes = v.pipe(
  v.array(v.picklist(SCOPES)),
  v.minLength(1),
  v.maxLength(SCOPES.length),
  v.transform((sent) => [...new Set(sent)]),
);

const exampleApiKey = {
  id: '019aa2f5-1100-7c0a-8e21-5a6b7c8d9e0f',
  name: 'Reporting',
  organizationId: '019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c',
  userId: '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f',
  scopes: ['products:read'],
  rateLimit: 600,
  expiresAt: null,
  createdAt: '2026-11-20T09:30:00.000Z',
};

export const createApiKey = defineEndpoint({
  operationId: 'createApiKey',
  method: 'POST',
  path: '/v1/api-keys',
  area: 'keys',
  summary: 'Issue an API key',
  description: 'A key belongs to the organization of its creator and can hold only scopes that its creator holds.',
  scope: 'keys:write',
  body: v.object({
    name: text(1, 100),
    scopes,
    user: v.optional(
      v.pipe(
        nonBlank(100),
        v.description(
          'Name of the user whose key it is, whatever its case and the space around it; the creator by default.',
        ),
      ),
    ),
    rateLimit: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000), v.description('Requests a minute.')),
      600,
    ),
    expiresInDays: v.optional(
      v.pipe(v.number(), v.gtValue(0), v.maxValue(36_500), v.description('Fractions are allowed.')),
    ),
  }),
  response: { kind: 'resource', status: 201, schema: issuedApiKey },
  problems: ['scope_not_grantable'],
  access: { table: ['GetItem', 'PutItem', 'Query', 'UpdateItem'], writes: ['apiKey', 'count', 'user'] },
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
  access: { table: ['Query'] },
  example: { response: exampleApiKey },
});

export const revokeApiKey = defineEndpoint({
  operationId: 'revokeApiKey',
  method: 'DELETE',
  path: '/v1/api-keys/{id}',
  area: 'keys',
  summary: 'Revoke an API key',
  description: 'The key stops working everywhere within 30 seconds.',
  scope: 'keys:write',
  response: { kind: 'deletion' },
  access: { table: ['GetItem', 'DeleteItem'], writes: ['apiKey'] },
  example: {},
});
