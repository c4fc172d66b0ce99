import * as v from 'valibot';
import {
  addressDetails,
  contactDetails,
  eInvoiceFormat,
  electronicAddress,
  exampleCustomer,
  shownAddress,
  shownContact,
  shownEInvoicing,
  shownTaxNumbers,
  taxNumber,
  vatNumber,
} from '#shared/contract/details.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import {
  createdAt,
  currency,
  currencyInput,
  nameText,
  searchText,
  text,
  updatedAt,
  uuid,
} from '#shared/contract/fields.ts';
import { described, explainedBy, nullableText } from '#shared/contract/meaning.ts';
import { firstOrLast, paginationEntries } from '#shared/contract/pagination.ts';
import { tagged } from '#shared/contract/tagged.ts';
import { searchableListWeight } from '#shared/contract/weight.ts';

export const client = v.pipe(
  v.object({
    id: described(uuid, 'The id of the client.'),
    name: described(v.string(), 'The name that invoices are addressed to.'),
    ...shownContact,
    contact: nullableText('The person to contact; null if nobody is named.'),
    ...shownAddress,
    ...shownTaxNumbers,
    ...shownEInvoicing,
    currency: described(
      v.nullable(currency),
      'The default currency of invoices, as an ISO 4217 code; null: that of the organization.',
    ),
    note: nullableText('An internal note, which no invoice shows; null without one.'),
    createdAt,
    updatedAt,
  }),
  v.description('A customer who is billed.'),
  v.title('Client'),
  tagged(),
);

const name = nameText(255);

const details = v.object({
  ...contactDetails,
  contact: v.nullable(text(0, 255)),
  ...addressDetails,
  taxNumber,
  vatNumber,
  buyerReference: v.nullable(text(1, 100)),
  electronicAddress,
  eInvoiceFormat: v.nullable(eInvoiceFormat),
  currency: v.nullable(currencyInput),
  note: v.nullable(text(0, 2_000)),
});

const createBody = v.pipe(v.object({ name, ...v.partial(details).entries }), explainedBy(client));

const updateBody = v.pipe(v.partial(v.object({ name, ...details.entries })), explainedBy(client));

const exampleBody = {
  ...exampleCustomer,
  currency: 'EUR',
  note: null,
};

const exampleClient = {
  id: '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b',
  ...exampleBody,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
};

export const createClient = defineEndpoint({
  operationId: 'createClient',
  method: 'POST',
  path: '/clients',
  area: 'clients',
  summary: 'Create a client',
  description: 'Only the name is required; it need not be unique. Other members default to null.',
  scope: 'clients:write',
  body: createBody,
  response: { kind: 'resource', status: 201, schema: client },
  example: { body: exampleBody, response: exampleClient },
});

export const listClients = defineEndpoint({
  operationId: 'listClients',
  method: 'GET',
  path: '/clients',
  area: 'clients',
  summary: 'List clients, newest first',
  description:
    'The order by `name` is that of the letters without marks and in any case: `Ärzte` is between `Apfel` and `Zebra`. There, a client that was just created or renamed may take a moment to appear in its place.',
  scope: 'clients:read',
  weight: searchableListWeight,
  query: v.pipe(
    v.object({
      ...paginationEntries(['createdAt', 'name']),
      q: v.optional(searchText('Part of the name, the contact or the e-mail address, in any case.', 0, 255, 'north')),
    }),
    firstOrLast(),
  ),
  response: { kind: 'listOrCursorPage', item: client },
  problems: ['range_too_large'],
  example: { response: exampleClient },
});

export const getClient = defineEndpoint({
  operationId: 'getClient',
  method: 'GET',
  path: '/clients/{id}',
  area: 'clients',
  summary: 'Get a client',
  scope: 'clients:read',
  response: { kind: 'resource', status: 200, schema: client },
  example: { response: exampleClient },
});

export const updateClient = defineEndpoint({
  operationId: 'updateClient',
  method: 'PATCH',
  path: '/clients/{id}',
  area: 'clients',
  summary: 'Change a client',
  description: 'Only the members that are sent change; null clears one. Invoices keep the values that they copied.',
  scope: 'clients:write',
  body: updateBody,
  response: { kind: 'resource', status: 200, schema: client },
  example: {
    body: { contact: 'Grace Hopper', phone: null, eInvoiceFormat: 'xrechnung-cii' },
    response: { ...exampleClient, contact: 'Grace Hopper', phone: null, eInvoiceFormat: 'xrechnung-cii' },
  },
});

export const deleteClient = defineEndpoint({
  operationId: 'deleteClient',
  method: 'DELETE',
  path: '/clients/{id}',
  area: 'clients',
  summary: 'Delete a client',
  description:
    'Its projects and entries stay, without a client; entries keep its name as their label. Links to it vanish at once. Invoices are unaffected.',
  scope: 'clients:write',
  response: { kind: 'deletion', of: client },
  example: {},
});
