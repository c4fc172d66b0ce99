import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { exampleProduct, product } from '#shared/contract/products/product.ts';

export const getProduct = defineEndpoint({
  operationId: 'getProduct',
  method: 'GET',
  path: '/products/{id}',
  area: 'products',
  summary: 'Get a product',
  scope: 'products:read',
  response: { kind: 'resource', status: 200, schema: product },
  example: { response: exampleProduct },
});
