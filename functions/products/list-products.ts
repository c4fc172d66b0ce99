import { listProducts } from '#shared/contract/products/list-products.ts';
import { readProducts } from '#shared/data/products/product-list.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /products: lists the catalog, newest first, without inactive products unless asked. */
export const handler = implement(listProducts, ({ query, principal, pay }) =>
  readProducts({ organizationId: principal.organizationId, ...query, pay }),
);
