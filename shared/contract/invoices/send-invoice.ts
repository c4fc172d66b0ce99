import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { E_INVOICE_PROBLEMS } from '#shared/contract/invoices/e-invoice.ts';
import { sentInvoice } from '#shared/contract/invoices/examples.ts';
import { invoice } from '#shared/contract/invoices/invoice.ts';
import { sendingWeight } from '#shared/contract/weight.ts';

export const sendInvoice = defineEndpoint({
  operationId: 'sendInvoice',
  method: 'POST',
  path: '/invoices/{id}/send',
  of: invoice,
  area: 'invoices',
  summary: 'Send a draft invoice',
  description:
    'The invoice gets the next number of the organization in the series of its `issueDate`; a series has no gaps. It is then final: it can only be paid, credited or voided. If the client takes e-invoices (`eInvoiceFormat`), an invoice that cannot be one in this format is refused, with all faults, and gets no number.',
  scope: 'invoices:write',
  weight: sendingWeight,
  body: v.object({}),
  bodyOptional: true,
  events: ['invoice.sent'],
  response: { kind: 'resource', status: 200, schema: invoice },
  problems: [
    'invoice_state_forbids',
    'tax_reason_missing',
    'invalid_issue_date',
    'issue_date_before_last',
    'number_taken',
    ...E_INVOICE_PROBLEMS,
  ],
  example: { body: {}, response: sentInvoice },
});
