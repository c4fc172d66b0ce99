import { searchProducts } from '#shared/contract/products/search-products.ts';
import { readMatchingProducts } from '#shared/data/products/product-list.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /products/search: finds active products by name, description, SKU or category. */
export const handler = implement(searchProducts, ({ query, principal, pay }) =>
  readMatchingProducts({ organizationId: principal.organizationId, ...query, pay }),
);
