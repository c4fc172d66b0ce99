import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { EXTERNAL_ID_TAKEN } from '#shared/contract/external-id.ts';
import { described, explained } from '#shared/contract/meaning.ts';
import { exampleBody, exampleProduct, members, product } from '#shared/contract/products/product.ts';

const sent = members.entries;

const createBody = explained(product, {
  ...sent,
  description: v.optional(sent.description, ''),
  sku: v.optional(sent.sku, null),
  category: v.optional(sent.category, null),
  currency: described(v.optional(sent.currency), 'The currency of the price; by default that of the organization.'),
  unit: v.optional(sent.unit, ''),
  taxRate: v.optional(sent.taxRate, null),
  externalId: v.optional(sent.externalId, null),
  metadata: v.optional(sent.metadata),
});

export const createProduct = defineEndpoint({
  operationId: 'createProduct',
  method: 'POST',
  path: '/products',
  location: '/products/{id}',
  area: 'products',
  summary: 'Create a product',
  description: '`currency` defaults to that of the organization. A new product is active.',
  scope: 'products:write',
  body: createBody,
  bodyTakesAnyNames: true,
  events: ['product.created'],
  response: { kind: 'resource', status: 201, schema: product },
  problems: ['tax_category_mismatch', 'external_id_taken'],
  problemMembers: EXTERNAL_ID_TAKEN,
  example: { body: exampleBody, response: exampleProduct },
});
