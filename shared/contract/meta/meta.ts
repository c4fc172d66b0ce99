import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { described } from '#shared/contract/meaning.ts';
import { SERVICE } from './service.ts';

export const getService = defineEndpoint({
  operationId: 'getService',
  method: 'GET',
  path: '/',
  area: 'meta',
  summary: 'Name and version of the service',
  description: 'A browser, which accepts `text/html`, is redirected to the reference.',
  scope: null,
  response: {
    kind: 'resource',
    status: 200,
    schema: v.pipe(
      v.object({
        name: described(v.string(), 'The name of the service.'),
        version: described(v.string(), 'The version of the service.'),
        docs: described(v.string(), 'The path of the reference.'),
        openapi: described(v.string(), 'The path of this document.'),
        health: described(v.string(), 'The path of the health check.'),
      }),
      v.description('The service, and where to read on.'),
      v.title('Service'),
    ),
  },
  page: SERVICE.docs,
  example: { response: SERVICE },
});

export const getHealth = defineEndpoint({
  operationId: 'getHealth',
  method: 'GET',
  path: SERVICE.health,
  area: 'meta',
  summary: 'Check that the service is up',
  description:
    'It needs no key, so that a load balancer, a canary or an uptime service can ask. `deep=true` also asks the table. Each running function asks it at most once in five seconds, and repeats the last result until then.',
  scope: null,
  query: v.object({
    deep: described(
      v.optional(v.boolean(), false),
      'True: also asks the table. A table that does not answer is a 503.',
    ),
  }),
  response: {
    kind: 'bare',
    schema: v.object({ status: described(v.literal('ok'), 'Always `ok`.') }),
  },
  problems: ['temporarily_unavailable'],
  example: { response: { status: 'ok' } },
});

export const getOpenApi = defineEndpoint({
  operationId: 'getOpenApi',
  method: 'GET',
  path: SERVICE.openapi,
  area: 'meta',
  summary: 'This document',
  scope: null,
  response: { kind: 'raw', contentTypes: ['application/json'], hasTag: true },
  example: {},
});

export const getDocs = defineEndpoint({
  operationId: 'getDocs',
  method: 'GET',
  path: SERVICE.docs,
  area: 'meta',
  summary: 'The reference as an interactive page',
  scope: null,
  response: { kind: 'raw', contentTypes: ['text/html'], hasTag: true },
  example: {},
});

export const getDocsAsset = defineEndpoint({
  operationId: 'getDocsAsset',
  method: 'GET',
  path: '/docs/{asset}',
  pathPatterns: { asset: /^[a-z0-9.-]+\.(?:css|js)$/ },
  area: 'meta',
  summary: 'A script or style sheet of the reference page',
  scope: null,
  response: { kind: 'raw', contentTypes: ['text/css', 'text/javascript'], hasTag: true },
  example: {},
});

export const getProblem = defineEndpoint({
  operationId: 'getProblem',
  method: 'GET',
  path: '/problems/{code}',
  pathPatterns: { code: /^[a-z_]{1,64}$/ },
  area: 'meta',
  summary: 'A page about a problem and its remedy',
  description: 'The `type` of every problem leads here.',
  scope: null,
  response: { kind: 'raw', contentTypes: ['text/html'], hasTag: true },
  example: {},
});
