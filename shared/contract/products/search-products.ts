import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { limit, offset, searchText } from '#shared/contract/fields.ts';
import { exampleProduct, product } from '#shared/contract/products/product.ts';
import { searchWeight } from '#shared/contract/weight.ts';

export const searchProducts = defineEndpoint({
  operationId: 'searchProducts',
  method: 'GET',
  path: '/products/search',
  area: 'products',
  summary: 'Search active products',
  description: 'Finds `q` anywhere in the name, description, SKU or category, in any case.',
  scope: 'products:read',
  weight: searchWeight,
  query: v.object({
    q: searchText('Part of the name, description, SKU or category, in any case.', 1, 255, 'consult'),
    limit: limit(100, 20),
    offset,
  }),
  response: { kind: 'list', item: product },
  problems: ['range_too_large'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { response: exampleProduct },
});
