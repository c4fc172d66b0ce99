import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { currencyInput, decimal } from '#shared/contract/fields.ts';
import { described, explainedBy } from '#shared/contract/meaning.ts';
import {
  category,
  description,
  exampleBody,
  exampleProduct,
  name,
  product,
  sku,
  taxRate,
  unit,
} from '#shared/contract/products/product.ts';
import { taxInput } from '#shared/contract/tax.ts';

const createBody = v.pipe(
  v.object({
    name,
    description: v.optional(description, ''),
    sku: v.optional(sku, null),
    category: v.optional(category, null),
    price: decimal,
    currency: described(v.optional(currencyInput), 'The currency of the price; by default that of the organization.'),
    unit: v.optional(unit, ''),
    taxRate: v.optional(taxRate, null),
    ...taxInput,
  }),
  explainedBy(product),
);

export const createProduct = defineEndpoint({
  operationId: 'createProduct',
  method: 'POST',
  path: '/products',
  area: 'products',
  summary: 'Create a product',
  description: '`currency` defaults to that of the organization. A new product is active.',
  scope: 'products:write',
  body: createBody,
  response: { kind: 'resource', status: 201, schema: product },
  problems: ['tax_category_mismatch'],
  example: { body: exampleBody, response: exampleProduct },
});
