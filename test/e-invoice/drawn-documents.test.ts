import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawnDocument } from '#scripts/judge/drawn-documents.ts';
import { E_INVOICE_FORMATS } from '#shared/domain/e-invoice-format.ts';
import { checkEInvoice } from '#shared/e-invoice/check-e-invoice.ts';
import { writeEInvoice } from '#shared/e-invoice/write-e-invoice.ts';
import { draws } from '#test/support/draws.ts';

/** `npm run judge` shows whether the rules say the same of such documents as other validators. */

const DOCUMENTS = draws(150);

const drawnFormat = fc.constantFrom(...E_INVOICE_FORMATS);

describe('any invoice or credit note', () => {
  it('is checked as a draft as it is once it is sent', () => {
    const property = fc.property(drawnDocument, drawnFormat, (document, format) => {
      expect(checkEInvoice({ ...document, number: null }, format)).toEqual(checkEInvoice(document, format));
    });
    fc.assert(property, { numRuns: DOCUMENTS });
  });

  it('has a file that payments and credits do not change, wherever it is valid', () => {
    const property = fc.property(drawnDocument, drawnFormat, (document, format) => {
      fc.pre(checkEInvoice(document, format).length === 0);
      const payment = { kind: 'payment', amount: '1.00', date: '2026-11-30', method: null, reference: null } as const;
      const later = {
        status: 'paid',
        payments: [payment],
        amountPaid: '1.00',
        amountDue: '0.00',
        creditedTotal: '2.00',
      } as const;
      expect(writeEInvoice({ ...document, ...later }, format)).toBe(writeEInvoice(document, format));
    });
    fc.assert(property, { numRuns: DOCUMENTS });
  });
});
