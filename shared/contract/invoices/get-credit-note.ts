import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { creditNoteEntries, exampleCreditNote } from '#shared/contract/invoices/credit-note.ts';
import { component } from '#shared/contract/meaning.ts';
import { documentWeight } from '#shared/contract/weight.ts';

const creditNote = component(
  'CreditNote',
  'A correction of an invoice, which never changes. Its amounts are positive.',
  creditNoteEntries,
);

export const getCreditNote = defineEndpoint({
  operationId: 'getCreditNote',
  method: 'GET',
  path: '/credit-notes/{id}',
  area: 'invoices',
  summary: 'Get a credit note',
  scope: 'invoices:read',
  weight: documentWeight,
  response: { kind: 'resource', status: 200, schema: creditNote },
  example: { response: exampleCreditNote },
});
