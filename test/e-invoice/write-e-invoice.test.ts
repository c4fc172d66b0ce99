import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { E_INVOICE_FORMATS, type EInvoiceFormat } from '#shared/domain/e-invoice-format.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { checkEInvoice } from '#shared/e-invoice/check-e-invoice.ts';
import { writeEInvoice } from '#shared/e-invoice/write-e-invoice.ts';
import { draws } from '#test/support/draws.ts';
import { invoice, line } from './documents.ts';
import { emptyElements, readXml, textsAt, type XmlNode } from './read-xml.ts';

const written = (document: PrintedInvoice, format: EInvoiceFormat): XmlNode => readXml(writeEInvoice(document, format));

/** What the golden files, which have every term of EN 16931 that we write, do not show. */

describe('what is left out', () => {
  it.each(E_INVOICE_FORMATS)('%s has no empty element, whatever is null or blank', (format) => {
    const blank = { addressLine1: ' ', addressLine2: '\t', city: null, region: '', postalCode: ' ', phone: null };
    const document = invoice({
      seller: { ...blank, legalName: ' ', taxNumber: '', registrationNumber: null, email: null, contactName: '\n' },
      customer: { ...blank, contact: ' ', email: null, electronicAddress: { scheme: 'EM', id: ' ' } },
      lineItems: [line({ description: '  ' })],
      purchaseOrder: ' ',
      notes: '',
      dueDate: null,
      serviceFrom: null,
      serviceTo: null,
    });
    // The schema of CII demands this one.
    const demanded = format.endsWith('cii') ? ['ram:ApplicableHeaderTradeDelivery'] : [];
    expect(emptyElements(written(document, format))).toEqual(demanded);
  });

  it('has no space around an identifier', () => {
    const document = invoice({
      seller: { vatNumber: ' DE123456789\n', taxNumber: '29/815/08150 ', registrationNumber: ' \u00a0' },
      customer: { vatNumber: ' DE987654321' },
    });
    for (const format of E_INVOICE_FORMATS) expect(checkEInvoice(document, format)).toEqual([]);
    const root = written(document, 'en16931-cii');
    const ids = ['29/815/08150', 'DE123456789', 'DE987654321'];
    expect(textsAt(root, 'SpecifiedTaxRegistration/ID')).toEqual(ids);
    expect(textsAt(root, 'SpecifiedLegalOrganization/ID')).toEqual([]);
  });

  it('has no second identifier of a seller with a VAT id or a registration number that is in the file', () => {
    const idsOf = (document: PrintedInvoice) => textsAt(written(document, 'en16931-cii'), 'SellerTradeParty/ID');
    const outside = [line({ taxRate: null, taxCategory: 'outside_scope' })];
    expect(idsOf(invoice({ seller: { registrationNumber: null } }))).toEqual([]);
    expect(idsOf(invoice({ seller: { vatNumber: null } }))).toEqual([]);
    // Outside the scope of VAT, the file leaves the VAT id out.
    expect(idsOf(invoice({ seller: { registrationNumber: null }, lineItems: outside }))).toEqual(['29/815/08150']);
  });

  it('takes the name of the organization where it has no legal one', () => {
    const root = written(invoice({ seller: { legalName: ' ' } }), 'en16931-cii');
    expect(textsAt(root, 'SellerTradeParty/Name')).toEqual(['Acme']);
    expect(textsAt(root, 'TradingBusinessName')).toEqual([]);
  });

  it.each([
    ['beside an IBAN', {}],
    ['that are blank', { iban: null, bankDetails: ' ' }],
    ['where nothing is to be paid', { iban: null }, [line({ price: '0', amount: '0.00' })]],
  ] as const)('has no terms of payment of bank details %s', (_, seller, lineItems = [line()]) => {
    const document = invoice({ seller: { bankDetails: 'Account 1', ...seller }, lineItems: [...lineItems] });
    expect(textsAt(written(document, 'peppol-bis'), 'PaymentTerms/Note')).toEqual([]);
  });

  it('gives no reason for a rate of zero, which is no exemption', () => {
    const document = invoice({ lineItems: [line({ taxRate: '0', taxExemptionReason: 'Small' })] });
    expect(textsAt(written(document, 'en16931-ubl'), 'TaxExemptionReason')).toEqual([]);
  });
});

describe('codes', () => {
  it('count days by the code of a day', () => {
    const root = written(invoice({ lineItems: [line({ unit: 'day' })] }), 'peppol-bis');
    expect(textsAt(root, 'InvoicedQuantity@unitCode')).toEqual(['DAY']);
  });

  it.each([
    ['DK', '12345678', ['0184']],
    ['IS', '5501694599', ['0196']],
    ['NL', '12345678', ['0106']],
    ['NL', '00000001234567890000', ['0190']],
    ['DE', 'HRB 4711', []],
  ] as const)('names the register of a company in %s with the number %s for Peppol', (countryCode, number, schemes) => {
    const document = invoice({ seller: { countryCode, registrationNumber: number } });
    const schemesIn = (format: EInvoiceFormat) =>
      textsAt(written(document, format), 'PartyLegalEntity/CompanyID@schemeID');
    expect(schemesIn('peppol-bis')).toEqual(schemes);
    expect(schemesIn('en16931-ubl')).toEqual([]);
  });
});

describe('hostile texts', () => {
  const unwritable = ['\u0000', '\u0001', '\u000b', '\u001f', '\ufffe', '\uffff'];
  const markup = ['&', '<', '>', '"', "'", ']]>', '&amp;', '<!--', '<![CDATA[', '#AAI#', '#abc#'];
  const invisible = ['\r\n', ...'\r\t\n \u007f\u0085\u2028\u202e\u2067\u200f\ufeff'];
  const others = ['a', 'ß', '漢', '\ufffd', '\ud800', '\udc00', '\u{1f600}', '\u{1ffff}', '\u{10ffff}'];
  const parts = fc.constantFrom(...unwritable, ...markup, ...invisible, ...others);
  const hostile = fc.array(parts, { minLength: 1, maxLength: 8 }).map((texts) => `x${texts.join('')}x`);

  it.each(E_INVOICE_FORMATS)('come out of %s as they went in, or are refused', (format) => {
    const places = format.endsWith('cii') ? ['Content', 'SpecifiedTradeProduct/Name'] : ['Invoice/Note', 'Item/Name'];
    fc.assert(
      fc.property(hostile, (text) => {
        const document = invoice({ notes: text, lineItems: [line({ name: text })] });
        const isWritable = text.isWellFormed() && !unwritable.some((character) => text.includes(character));
        const refused = ['notes', 'lineItems.0.name'].map((path) =>
          expect.objectContaining({ path, rule: 'xml_character' }),
        );
        expect(checkEInvoice(document, format)).toEqual(isWritable ? [] : refused);
        if (!isWritable) return;
        const root = written(document, format);
        const found = places.flatMap((place) => textsAt(root, place)).map((each) => each.replace(/^#AAI#(?=x)/, ''));
        expect(found).toEqual([text, text]);
      }),
      { seed: 36, numRuns: draws(150) },
    );
  });

  it('is an error of the writer that was not checked', () => {
    expect(() => writeEInvoice(invoice({ notes: '\u0000' }), 'en16931-cii')).toThrow('character');
  });

  it('keeps a note from passing for the code of its subject', () => {
    const noteOf = (notes: string) => textsAt(written(invoice({ notes }), 'peppol-bis'), 'Invoice/Note');
    expect(noteOf('See #abc# there')).toEqual(['#AAI#See #abc# there']);
    expect(noteOf('#1 of #2')).toEqual(['#1 of #2']);
  });
});
