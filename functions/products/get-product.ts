import { getProduct } from '#shared/contract/products/get-product.ts';
import { readProduct } from '#shared/data/products/products.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /products/{id}: one product of the caller's organization. */
export const handler = implement(getProduct, ({ params, principal }) =>
  readProduct(principal.organizationId, params.id),
);
