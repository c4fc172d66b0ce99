import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { described } from '#shared/contract/meaning.ts';
import { SERVICE } from '#shared/contract/meta/service.ts';

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
