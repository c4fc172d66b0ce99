import * as v from 'valibot';
import { eInvoiceFormat } from '#shared/contract/details.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { advising } from '#shared/contract/rule.ts';
import { E_INVOICE_FORMATS } from '#shared/domain/e-invoice-format.ts';

export const formatQuery = advising(
  v.object({
    format: described(
      eInvoiceFormat,
      'The rules that the document follows, and its syntax: those of EN 16931 alone, of XRechnung 3.0, or of Peppol BIS Billing 3.0 (UBL).',
    ),
  }),
  () => `Send one of ${E_INVOICE_FORMATS.join(', ')}.`,
);

export const pdfQuery = v.object({
  profile: described(
    v.optional(v.picklist(['factur-x'])),
    'The e-invoice in the format `en16931-cii` is in the PDF, as `factur-x.xml` (profile EN 16931, as ZUGFeRD has it).',
  ),
});

export const E_INVOICE_PROBLEMS = ['e_invoice_incomplete', 'currency_not_supported', 'invoice_too_large'] as const;

const eInvoiceCheck = component('EInvoiceCheck', 'The rules of a format, applied to an invoice or credit note.', {
  valid: described(v.boolean(), 'Whether no rule is broken.'),
  problems: described(
    v.array(
      component('EInvoiceProblem', 'A rule that the document breaks.', {
        path: described(
          v.string(),
          'The member to change, as the document shows it: `customer.countryCode` is that of the client, `seller.vatNumber` that of the organization, `lineItems.2.taxCategory` that of the third line.',
        ),
        rule: described(
          v.string(),
          'The rule as its specification calls it, such as `BR-DE-15`; `currency_not_supported` for a currency that has not two digits after the point.',
        ),
        message: described(v.string(), 'The demand of the rule, for people.'),
      }),
    ),
    'Every member that breaks a rule, for each rule; at most the first 1,000. Empty if it is valid.',
  ),
});

export const exampleCheck = {
  valid: false,
  problems: [
    {
      path: 'customer.buyerReference',
      rule: 'BR-DE-15',
      message: 'The buyer needs a reference, such as a Leitweg-ID.',
    },
  ],
};

export const FILE = { kind: 'raw', contentTypes: ['application/xml'] } as const;

export const CHECK = { kind: 'resource', status: 200, schema: eInvoiceCheck } as const;
