import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import {
  createdAt,
  currency,
  currencyInput,
  decimal,
  limit,
  nameText,
  offset,
  organizationId,
  percentage,
  searchText,
  text,
  updatedAt,
  uuid,
} from '#shared/contract/fields.ts';
import { described, explainedBy, nullableText } from '#shared/contract/meaning.ts';
import { tagged } from '#shared/contract/tagged.ts';
import { shownTax, taxInput } from '#shared/contract/tax.ts';
import { searchableListWeight, searchWeight } from '#shared/contract/weight.ts';

export const product = v.pipe(
  v.object({
    id: described(uuid, 'The id of the product.'),
    name: described(v.string(), 'The name of the product on invoices.'),
    description: described(v.string(), 'Details of the product; may be empty.'),
    sku: nullableText("The seller's article number (SKU); null without one."),
    category: nullableText('The category of the product; null without one.'),
    price: described(decimal, 'The price of one unit, without tax, as a decimal string.'),
    currency: described(currency, 'The currency of the price, as an ISO 4217 code.'),
    unit: described(v.string(), 'The unit of the price, such as `hour`; may be empty.'),
    taxRate: described(v.nullable(percentage), 'The tax in percent of the price, on top of it; null: none.'),
    ...shownTax,
    isActive: described(v.boolean(), 'False hides the product from searches, and from lists by default.'),
    usageCount: described(
      v.pipe(v.number(), v.integer(), v.minValue(0)),
      'The number of invoice lines that have copied the product.',
    ),
    userId: described(uuid, 'The user who created the product.'),
    organizationId,
    createdAt,
    updatedAt,
  }),
  v.description('Something that can be sold, at a price.'),
  v.title('Product'),
  tagged(),
);

const name = nameText(255);
const description = text(0, 2_000);
const sku = v.nullable(text(0, 100));
const category = v.nullable(text(0, 100));
const unit = text(0, 50);
const taxRate = v.nullable(percentage);

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

const exampleBody = {
  name: 'Consulting',
  description: 'On-site consulting',
  sku: 'CONS-1',
  category: 'Services',
  price: '120.00',
  currency: 'USD',
  unit: 'hour',
  taxRate: '19',
};

const exampleProduct = {
  id: '019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61',
  ...exampleBody,
  taxCategory: 'standard',
  taxExemptionReason: null,
  isActive: true,
  usageCount: 0,
  userId: '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f',
  organizationId: '019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c',
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
};

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

export const listProducts = defineEndpoint({
  operationId: 'listProducts',
  method: 'GET',
  path: '/products',
  area: 'products',
  summary: 'List products, newest first',
  scope: 'products:read',
  weight: searchableListWeight,
  query: v.object({
    limit: limit(100, 50),
    offset,
    q: v.optional(searchText('Part of the name, in any case.', 0, 255, 'consult')),
    includeInactive: described(v.optional(v.boolean(), false), 'True lists inactive products, too.'),
  }),
  response: { kind: 'list', item: product },
  problems: ['range_too_large'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { response: exampleProduct },
});

export const searchProducts = defineEndpoint({
  operationId: 'searchProducts',
  method: 'GET',
  path: '/products/search',
  area: 'products',
  summary: 'Search active products',
  description: 'Finds `q` anywhere in the name, description, SKU or category, in any case.',
  scope: 'products:read',
  weight: searchWeight,
  query: v.object({
    q: searchText('Part of the name, description, SKU or category, in any case.', 1, 255, 'consult'),
    limit: limit(100, 20),
    offset,
  }),
  response: { kind: 'list', item: product },
  problems: ['range_too_large'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { response: exampleProduct },
});

export const getProduct = defineEndpoint({
  operationId: 'getProduct',
  method: 'GET',
  path: '/products/{id}',
  area: 'products',
  summary: 'Get a product',
  scope: 'products:read',
  response: { kind: 'resource', status: 200, schema: product },
  example: { response: exampleProduct },
});

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

export const deleteProduct = defineEndpoint({
  operationId: 'deleteProduct',
  method: 'DELETE',
  path: '/products/{id}',
  area: 'products',
  summary: 'Delete a product for good',
  description: 'Lines of invoices that copied the product are unaffected.',
  scope: 'products:write',
  response: { kind: 'deletion', of: product },
  example: {},
});
