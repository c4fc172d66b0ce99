import * as v from 'valibot';
import {
  addressDetails,
  contactDetails,
  eInvoiceFormat,
  electronicAddress,
  exampleCustomer,
  shownCustomer,
  taxNumbers,
} from '#shared/contract/details.ts';
import { externalId, shownExternalId } from '#shared/contract/external-id.ts';
import { createdAt, currency, currencyInput, nameText, text, updatedAt, uuid } from '#shared/contract/fields.ts';
import { described, nullableText } from '#shared/contract/meaning.ts';
import { metadata, shownMetadata } from '#shared/contract/metadata.ts';
import { resource } from '#shared/contract/tagged.ts';

export const client = resource('Client', 'A customer who is billed.', {
  id: described(uuid, 'The id of the client.'),
  name: described(v.string(), 'The name that invoices are addressed to.'),
  ...shownCustomer,
  currency: described(
    v.nullable(currency),
    'The default currency of invoices, as an ISO 4217 code; null: that of the organization.',
  ),
  note: nullableText('An internal note, which no invoice shows; null without one.'),
  externalId: shownExternalId('client'),
  metadata: shownMetadata,
  createdAt,
  updatedAt,
});

/** As callers send them. */
export const members = v.object({
  name: nameText(255),
  ...contactDetails,
  contact: v.nullable(text(0, 255)),
  ...addressDetails,
  ...taxNumbers,
  buyerReference: v.nullable(text(1, 100)),
  electronicAddress,
  eInvoiceFormat: v.nullable(eInvoiceFormat),
  currency: v.nullable(currencyInput),
  note: v.nullable(text(0, 2_000)),
  externalId,
  metadata,
});

export const exampleBody = {
  ...exampleCustomer,
  currency: 'EUR',
  note: null,
  externalId: null,
  metadata: { segment: 'retail' },
};

export const exampleClient = {
  id: '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b',
  ...exampleBody,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
};
