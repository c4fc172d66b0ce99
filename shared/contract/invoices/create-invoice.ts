import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { EXTERNAL_ID_TAKEN } from '#shared/contract/external-id.ts';
import { count } from '#shared/contract/fields.ts';
import { BODY_PROBLEMS, createBody } from '#shared/contract/invoices/bodies.ts';
import { exampleBody, exampleInvoice, exampleTimeBody } from '#shared/contract/invoices/examples.ts';
import { invoice } from '#shared/contract/invoices/invoice.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { newInvoiceWeight } from '#shared/contract/weight.ts';

const skipped = component(
  'SkippedEntries',
  "The numbers of the client's entries in the wanted days that were left out, each by the first reason.",
  {
    notBillable: described(count, 'Entries that are not billable.'),
    noRate: described(count, 'Billable entries without a rate.'),
    otherCurrency: described(
      count,
      'Billable entries in another currency; with more than 500 entries on their days, also those without a rate.',
    ),
    invoiced: described(count, 'Entries that are on an invoice.'),
  },
);

const exampleSkipped = { notBillable: 2, noRate: 1, otherCurrency: 0, invoiced: 0 };

export const createInvoice = defineEndpoint({
  operationId: 'createInvoice',
  method: 'POST',
  path: '/invoices',
  location: '/invoices/{id}',
  area: 'invoices',
  summary: 'Create a draft invoice',
  description: [
    'Bills the lines of `lineItems`, the tracked time of `timeEntries`, or both. The client, products (at most 80 different ones) and tracked time are copied.',
    'An entry is on one invoice at most. Meanwhile it is `invoiced` and refuses changes. Voiding the invoice, or deleting the draft, frees it.',
    'One of several concurrent requests for the same time gets it; the others bill the rest, or answer `invoice_empty` if nothing is left. If the first one takes too long, they answer `invoicing_in_progress` with `Retry-After`.',
  ].join('\n\n'),
  scope: 'invoices:write',
  weight: newInvoiceWeight,
  body: createBody,
  bodyTakesAnyNames: true,
  events: ['invoice.created'],
  response: { kind: 'resource', status: 201, schema: invoice },
  problems: [...BODY_PROBLEMS, 'invoice_empty'],
  problemMembers: { ...EXTERNAL_ID_TAKEN, invoice_empty: { skipped: { schema: skipped, example: exampleSkipped } } },
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: {
    body: exampleBody,
    otherBodies: { timeEntries: { summary: 'Bill tracked time', value: exampleTimeBody } },
    response: exampleInvoice,
  },
});
