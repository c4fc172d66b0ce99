import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { product } from '#shared/contract/products/product.ts';

export const deleteProduct = defineEndpoint({
  operationId: 'deleteProduct',
  method: 'DELETE',
  path: '/products/{id}',
  of: product,
  area: 'products',
  summary: 'Delete a product for good',
  description: 'Lines of invoices that copied the product are unaffected.',
  scope: 'products:write',
  events: ['product.deleted'],
  response: { kind: 'deletion' },
  example: {},
});
