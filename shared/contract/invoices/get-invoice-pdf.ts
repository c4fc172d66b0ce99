import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { E_INVOICE_PROBLEMS, pdfQuery } from '#shared/contract/invoices/e-invoice.ts';
import { described } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';
import { invoicePdfWeight } from '#shared/contract/weight.ts';

const pdfWish = v.object({
  ...pdfQuery.entries,
  hours: described(
    v.optional(v.boolean()),
    'True: behind the last page, a table for each line of time, with date, description, user, hours, rate and amount of each entry as it was billed, at most 5,000 in all. This needs the scope `tracker:read`, too. False: no table. By default, `printsHours` of the organization decides, and the PDF has no table where the caller lacks that scope or the table would be too large. A PDF with a `profile` has none.',
  ),
});

type PdfWish = v.InferOutput<typeof pdfWish>;

export const getInvoicePdf = defineEndpoint({
  operationId: 'getInvoicePdf',
  method: 'GET',
  path: '/invoices/{id}/pdf',
  area: 'invoices',
  summary: 'Get an invoice as a PDF',
  description:
    'An invoice in any state has a PDF; drafts and void invoices are marked. `profile=factur-x` gives the invoice as it was sent, without payments and credits: a PDF/A-3 that contains the e-invoice with the same figures.',
  scope: 'invoices:read',
  weight: invoicePdfWeight,
  query: v.pipe(
    pdfWish,
    rule(
      'exclusive',
      'no hours in a PDF with a profile',
      {},
      ({ profile, hours }: PdfWish) => !(profile && hours),
      'hours',
    ),
  ),
  response: { kind: 'raw', contentTypes: ['application/pdf'] },
  problems: ['invoice_state_forbids', 'document_too_large', ...E_INVOICE_PROBLEMS],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  ownConcurrency: 20,
  example: {},
});
