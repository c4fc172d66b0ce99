import { deleteProduct } from '#shared/contract/products/delete-product.ts';
import { readProduct, removeProduct } from '#shared/data/products/products.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { implement } from '#shared/http/implement.ts';

/** DELETE /products/{id}: removes a product for good. Invoice lines that copied it keep their values. */
export const handler = implement(deleteProduct, {
  load: ({ params, principal }) => readProduct(principal.organizationId, params.id),
  run: ({ fresh, answer }) =>
    retrying(fresh, async (product) => {
      await removeProduct(product, await answer(product.id, happening('product.deleted', product)));
      return product.id;
    }),
});
