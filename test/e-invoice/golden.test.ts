import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GOLDEN_DOCUMENTS } from '#scripts/judge/golden-documents.ts';
import { E_INVOICE_FORMATS } from '#shared/domain/e-invoice-format.ts';
import { checkEInvoice } from '#shared/e-invoice/check-e-invoice.ts';
import { writeEInvoice } from '#shared/e-invoice/write-e-invoice.ts';

/** `npm run judge -- --golden` writes the files, once the rules of CEN, XRechnung and Peppol have accepted them. */

const GOLDEN = join(import.meta.dirname, '../golden/e-invoice');

const cases = [...GOLDEN_DOCUMENTS].flatMap(([name, document]) =>
  E_INVOICE_FORMATS.map((format) => ({ file: `${name}.${format}.xml`, document, format })),
);

describe('an e-invoice that the rules have accepted', () => {
  it.each(cases)('is still written as $file', ({ file, document, format }) => {
    expect(checkEInvoice(document, format)).toEqual([]);
    expect(writeEInvoice(document, format)).toBe(readFileSync(join(GOLDEN, file), 'utf8'));
  });
});
