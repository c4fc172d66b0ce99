import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { described } from '#shared/contract/meaning.ts';

export const getHealth = defineEndpoint({
  operationId: 'getHealth',
  method: 'GET',
  path: '/health',
  area: 'meta',
  summary: 'Check that the service is up',
  description:
    'It needs no key, so that a load balancer, a canary or an uptime service can ask. With `deep=true` it also asks the table, at most once in five seconds in each place where it runs, and otherwise repeats what it last heard.',
  scope: null,
  query: v.object({
    deep: described(v.optional(v.boolean(), false), 'True: only well if the table answers, too.'),
  }),
  response: {
    kind: 'bare',
    schema: v.object({ status: described(v.literal('ok'), 'Always `ok`.') }),
  },
  problems: ['temporarily_unavailable'],
  access: { asksLayout: true },
  example: { response: { status: 'ok' } },
});

export const getOpenApi = defineEndpoint({
  operationId: 'getOpenApi',
  method: 'GET',
  path: '/openapi.json',
  area: 'meta',
  summary: 'This document',
  scope: null,
  response: { kind: 'raw', contentTypes: ['application/json'], hasTag: true },
  example: {},
});

export const getDocs = defineEndpoint({
  operationId: 'getDocs',
  method: 'GET',
  path: '/docs',
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
