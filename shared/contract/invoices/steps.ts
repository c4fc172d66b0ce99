import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { freeingWeight, payingWeight, sendingWeight } from '#shared/contract/weight.ts';
import { E_INVOICE_PROBLEMS } from './e-invoices.ts';
import { sentInvoice } from './examples.ts';
import { invoice } from './invoice.ts';

/** A step needs no body. */
const stepBody = v.object({});

export const sendInvoice = defineEndpoint({
  operationId: 'sendInvoice',
  method: 'POST',
  path: '/invoices/{id}/send',
  area: 'invoices',
  summary: 'Send a draft invoice',
  description:
    'The invoice gets the next number of the organization; numbers have no gaps. It is then final: it can only be paid, credited or voided. If the client takes e-invoices (`eInvoiceFormat`), an invoice that cannot be one in this format is refused, with all faults, and gets no number.',
  scope: 'invoices:write',
  weight: sendingWeight,
  body: stepBody,
  bodyOptional: true,
  response: { kind: 'resource', status: 200, schema: invoice },
  problems: [
    'invoice_state_forbids',
    'tax_reason_missing',
    'invalid_issue_date',
    'issue_date_before_last',
    ...E_INVOICE_PROBLEMS,
  ],
  example: { body: {}, response: sentInvoice },
});

export const payInvoice = defineEndpoint({
  operationId: 'payInvoice',
  method: 'POST',
  path: '/invoices/{id}/pay',
  area: 'invoices',
  summary: 'Pay the rest of a sent invoice',
  description:
    'Records one payment of the amount due, with the date of today, or none if nothing is due. Either way the invoice is then `paid`.',
  scope: 'invoices:write',
  weight: payingWeight,
  body: stepBody,
  bodyOptional: true,
  response: { kind: 'resource', status: 200, schema: invoice },
  problems: ['invoice_state_forbids', 'too_many_payments'],
  example: {
    body: {},
    response: {
      ...sentInvoice,
      status: 'paid',
      amountPaid: '106.89',
      amountDue: '0.00',
      updatedAt: '2026-11-10T08:00:00.000Z',
      paidAt: '2026-11-10T08:00:00.000Z',
    },
  },
});

export const voidInvoice = defineEndpoint({
  operationId: 'voidInvoice',
  method: 'POST',
  path: '/invoices/{id}/void',
  area: 'invoices',
  summary: 'Void a sent invoice',
  description:
    'The invoice keeps its number and its lines, and its entries can be billed again at once. Its payments have to be deleted first. One with credit notes cannot be voided: credit the rest.',
  scope: 'invoices:write',
  weight: freeingWeight('void'),
  body: stepBody,
  bodyOptional: true,
  response: { kind: 'resource', status: 200, schema: invoice },
  problems: ['invoice_state_forbids', 'invoice_has_credit_notes', 'invoice_has_payments'],
  example: {
    body: {},
    response: {
      ...sentInvoice,
      status: 'void',
      amountDue: '0.00',
      updatedAt: '2026-11-10T08:00:00.000Z',
      voidedAt: '2026-11-10T08:00:00.000Z',
    },
  },
});
