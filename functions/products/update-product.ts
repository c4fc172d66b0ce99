import { updateProduct } from '#shared/contract/products/update-product.ts';
import { readProduct, saveProduct } from '#shared/data/products/products.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { reviseProduct } from '#shared/domain/products/product.ts';
import { implement } from '#shared/http/implement.ts';

/** PATCH /products/{id}: changes the members that are sent and no others. */
export const handler = implement(updateProduct, {
  load: ({ params, principal }) => readProduct(principal.organizationId, params.id),
  run: ({ body, now, fresh, answer }) =>
    retrying(fresh, async (product) => {
      const changed = reviseProduct(product, body, now);
      await saveProduct(product, changed, await answer(changed, happening('product.updated', changed)));
      return changed;
    }),
});
