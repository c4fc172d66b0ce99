import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { ofExternalId } from '#shared/contract/external-id.ts';
import { limit, offset, searchText } from '#shared/contract/fields.ts';
import { described } from '#shared/contract/meaning.ts';
import { exampleProduct, product } from '#shared/contract/products/product.ts';
import { namedListWeight } from '#shared/contract/weight.ts';

export const listProducts = defineEndpoint({
  operationId: 'listProducts',
  method: 'GET',
  path: '/products',
  area: 'products',
  summary: 'List products, newest first',
  scope: 'products:read',
  weight: namedListWeight,
  query: v.object({
    limit: limit(100, 50),
    offset,
    q: v.optional(searchText('Part of the name, in any case.', 0, 255, 'consult')),
    externalId: ofExternalId('product, active or not,'),
    includeInactive: described(v.optional(v.boolean(), false), 'True lists inactive products, too.'),
  }),
  response: { kind: 'list', item: product },
  problems: ['range_too_large'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { response: exampleProduct },
});
