import * as v from 'valibot';
import { client, exampleClient } from '#shared/contract/clients/client.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { ofExternalId } from '#shared/contract/external-id.ts';
import { searchText } from '#shared/contract/fields.ts';
import { firstOrLast, paginationEntries } from '#shared/contract/pagination.ts';
import { namedListWeight } from '#shared/contract/weight.ts';

export const listClients = defineEndpoint({
  operationId: 'listClients',
  method: 'GET',
  path: '/clients',
  area: 'clients',
  summary: 'List clients, newest first',
  description:
    'The order by `name` is that of the letters without marks and in any case: `Ärzte` is between `Apfel` and `Zebra`. There, a client that was just created or renamed may take a moment to appear in its place.',
  scope: 'clients:read',
  weight: namedListWeight,
  query: v.pipe(
    v.object({
      ...paginationEntries(['createdAt', 'name']),
      q: v.optional(searchText('Part of the name, the contact or the e-mail address, in any case.', 0, 255, 'north')),
      externalId: ofExternalId('client'),
    }),
    firstOrLast(),
  ),
  response: { kind: 'listOrCursorPage', item: client },
  problems: ['range_too_large'],
  example: { response: exampleClient },
});
