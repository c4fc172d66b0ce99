import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawnDocument } from '#scripts/judge/drawn-documents.ts';
import { E_INVOICE_FORMATS } from '#shared/domain/e-invoice-format.ts';
import { checkEInvoice } from '#shared/e-invoice/check-e-invoice.ts';
import { draws } from '#test/support/draws.ts';

/** `npm run judge` shows whether the rules say the same of such documents as other validators. */

const drawnFormat = fc.constantFrom(...E_INVOICE_FORMATS);

describe('any invoice or credit note', () => {
  it('is checked as a draft as it is once it is sent', () => {
    const property = fc.property(drawnDocument, drawnFormat, (document, format) => {
      expect(checkEInvoice({ ...document, number: null }, format)).toEqual(checkEInvoice(document, format));
    });
    fc.assert(property, { numRuns: draws(150) });
  });
});
