import { createProduct } from '#shared/contract/products/create-product.ts';
import { insertProduct } from '#shared/data/products/products.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { newProduct } from '#shared/domain/products/product.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /products: adds a product to the catalog of the caller's organization. */
export const handler = implement(createProduct, async ({ body, principal, now, newId, answer }) => {
  const product = newProduct(body, principal, newId(), now);
  await insertProduct(product, await answer(product, happening('product.created', product)));
  return product;
});
