import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { EXTERNAL_ID_TAKEN } from '#shared/contract/external-id.ts';
import { explainedBy } from '#shared/contract/meaning.ts';
import { exampleProduct, members, product } from '#shared/contract/products/product.ts';

export const updateProduct = defineEndpoint({
  operationId: 'updateProduct',
  method: 'PATCH',
  path: '/products/{id}',
  area: 'products',
  summary: 'Change a product',
  description: 'Only the members that are sent change. Lines of invoices that copied the product keep their values.',
  scope: 'products:write',
  body: v.pipe(v.partial(v.object({ ...members.entries, isActive: v.boolean() })), explainedBy(product)),
  bodyTakesAnyNames: true,
  events: ['product.updated'],
  response: { kind: 'resource', status: 200, schema: product },
  problems: ['tax_category_mismatch', 'external_id_taken'],
  problemMembers: EXTERNAL_ID_TAKEN,
  example: {
    body: { price: '135.00', isActive: false },
    response: { ...exampleProduct, price: '135.00', isActive: false },
  },
});
