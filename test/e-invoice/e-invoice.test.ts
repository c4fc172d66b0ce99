import { describe, expect, it } from 'vitest';
import { MAX_ANSWER_BYTES } from '#shared/domain/answer-size.ts';
import { makeEInvoice, makeFacturXFile } from '#shared/e-invoice/e-invoice.ts';
import { invoice, line } from './documents.ts';

describe('a long e-invoice', () => {
  const long = invoice({ lineItems: Array.from({ length: 8_000 }, () => line()) });

  it('is too large for an answer, but not for a PDF, which packs it', () => {
    const refusal = expect.objectContaining({ code: 'invoice_too_large' });
    expect(() => makeEInvoice(long, 'en16931-cii')).toThrow(refusal);
    expect(makeFacturXFile(long).length).toBeGreaterThan(MAX_ANSWER_BYTES);
  });
});
