import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { currencyInput, decimal } from '#shared/contract/fields.ts';
import { explainedBy } from '#shared/contract/meaning.ts';
import {
  category,
  description,
  exampleProduct,
  name,
  product,
  sku,
  taxRate,
  unit,
} from '#shared/contract/products/product.ts';
import { taxInput } from '#shared/contract/tax.ts';

const updateBody = v.pipe(
  v.partial(
    v.object({
      name,
      description,
      sku,
      category,
      price: decimal,
      currency: currencyInput,
      unit,
      taxRate,
      ...taxInput,
      isActive: v.boolean(),
    }),
  ),
  explainedBy(product),
);

export const updateProduct = defineEndpoint({
  operationId: 'updateProduct',
  method: 'PATCH',
  path: '/products/{id}',
  area: 'products',
  summary: 'Change a product',
  description: 'Only the members that are sent change. Lines of invoices that copied the product keep their values.',
  scope: 'products:write',
  body: updateBody,
  response: { kind: 'resource', status: 200, schema: product },
  problems: ['tax_category_mismatch'],
  example: {
    body: { price: '135.00', isActive: false },
    response: { ...exampleProduct, price: '135.00', isActive: false },
  },
});
