import * as v from 'valibot';
import { externalId, shownExternalId } from '#shared/contract/external-id.ts';
import {
  count,
  createdAt,
  currency,
  currencyInput,
  decimal,
  nameText,
  organizationId,
  percentage,
  text,
  updatedAt,
  uuid,
} from '#shared/contract/fields.ts';
import { described, nullableText } from '#shared/contract/meaning.ts';
import { metadata, shownMetadata } from '#shared/contract/metadata.ts';
import { resource } from '#shared/contract/tagged.ts';
import { shownTax, taxInput } from '#shared/contract/tax.ts';

export const product = resource('Product', 'Something that can be sold, at a price.', {
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
  usageCount: described(count, 'The number of invoice lines that have copied the product.'),
  externalId: shownExternalId('product'),
  metadata: shownMetadata,
  userId: described(uuid, 'The user who created the product.'),
  organizationId,
  createdAt,
  updatedAt,
});

/** As callers send them. */
export const members = v.object({
  name: nameText(255),
  description: text(0, 2_000),
  sku: v.nullable(text(0, 100)),
  category: v.nullable(text(0, 100)),
  price: decimal,
  currency: currencyInput,
  unit: text(0, 50),
  taxRate: v.nullable(percentage),
  ...taxInput,
  externalId,
  metadata,
});

export const exampleBody = {
  name: 'Consulting',
  description: 'On-site consulting',
  sku: 'CONS-1',
  category: 'Services',
  price: '120.00',
  currency: 'USD',
  unit: 'hour',
  taxRate: '19',
};

export const exampleProduct = {
  id: '019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61',
  ...exampleBody,
  taxCategory: 'standard',
  taxExemptionReason: null,
  isActive: true,
  usageCount: 0,
  externalId: null,
  metadata: {},
  userId: '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f',
  organizationId: '019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c',
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
};
