import { updateProduct } from '#shared/contract/products/products.ts';
import { changeProduct, readProduct } from '#shared/data/products/products.ts';
import { reviseProduct } from '#shared/domain/products/product.ts';
import { implement } from '#shared/http/implement.ts';

/** PATCH /products/{id}: changes the members that are sent and no others. */
export const handler = implement(updateProduct, {
  load: ({ params, principal }) => readProduct(principal.organizationId, params.id),
  run: ({ resource, body, now }) => changeProduct(resource, (product) => reviseProduct(product, body, now)),
});
