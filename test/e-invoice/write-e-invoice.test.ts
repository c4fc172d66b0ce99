import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { E_INVOICE_FORMATS, type EInvoiceFormat } from '#shared/domain/e-invoice-format.ts';
import { creditFigures, creditParts } from '#shared/domain/invoices/crediting.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { checkEInvoice } from '#shared/e-invoice/check-e-invoice.ts';
import { writeEInvoice } from '#shared/e-invoice/write-e-invoice.ts';
import { draws } from '#test/support/draws.ts';
import { creditNote, invoice, line } from './documents.ts';
import { emptyElements, readXml, textsAt, type XmlNode } from './read-xml.ts';

const written = (document: PrintedInvoice, format: EInvoiceFormat): XmlNode => readXml(writeEInvoice(document, format));

/** With what differs between the parts of EN 16931 that bind its terms to CII and to UBL. */
const TERMS = `
BT-1    | INV-000042                  | ExchangedDocument/ID                                      | Invoice/ID
BT-2    | 2026-11-03                  | IssueDateTime/DateTimeString                              | Invoice/IssueDate
BT-3    | 380                         | ExchangedDocument/TypeCode                                | InvoiceTypeCode
BT-5    | EUR                         | InvoiceCurrencyCode                                       | DocumentCurrencyCode
BT-9    | 2026-12-03                  | DueDateDateTime/DateTimeString                            | DueDate
BT-10   | 04011000-12345-03           | BuyerReference                                            | BuyerReference
BT-13   | PO-77                       | BuyerOrderReferencedDocument/IssuerAssignedID             | OrderReference/ID
BT-22   | Thank you.                  | IncludedNote/Content                                      | Invoice/Note
BT-27   | Acme Consulting GmbH        | SellerTradeParty/Name                                     | AccountingSupplierParty/Party/PartyLegalEntity/RegistrationName
BT-28   | Acme                        | SpecifiedLegalOrganization/TradingBusinessName            | PartyName/Name
BT-30   | HRB 4711                    | SpecifiedLegalOrganization/ID                             | PartyLegalEntity/CompanyID
BT-34   | DE123456789                 | SellerTradeParty/URIUniversalCommunication/URIID          | AccountingSupplierParty/Party/EndpointID
BT-34-1 | 9930                        | SellerTradeParty/URIUniversalCommunication/URIID@schemeID | AccountingSupplierParty/Party/EndpointID@schemeID
BT-35   | Hauptstraße 1               | SellerTradeParty/PostalTradeAddress/LineOne               | AccountingSupplierParty/Party/PostalAddress/StreetName
BT-36   | Hinterhaus                  | SellerTradeParty/PostalTradeAddress/LineTwo               | AccountingSupplierParty/Party/PostalAddress/AdditionalStreetName
BT-37   | Berlin                      | SellerTradeParty/PostalTradeAddress/CityName              | AccountingSupplierParty/Party/PostalAddress/CityName
BT-38   | 10115                       | SellerTradeParty/PostalTradeAddress/PostcodeCode          | AccountingSupplierParty/Party/PostalAddress/PostalZone
BT-39   | BE                          | SellerTradeParty/PostalTradeAddress/CountrySubDivisionName | AccountingSupplierParty/Party/PostalAddress/CountrySubentity
BT-40   | DE                          | SellerTradeParty/PostalTradeAddress/CountryID             | AccountingSupplierParty/Party/PostalAddress/Country/IdentificationCode
BT-41   | Ada Lovelace                | SellerTradeParty/DefinedTradeContact/PersonName           | AccountingSupplierParty/Party/Contact/Name
BT-42   | +49 30 5550199              | SellerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication/CompleteNumber | AccountingSupplierParty/Party/Contact/Telephone
BT-43   | billing@acme.example        | SellerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication/URIID | AccountingSupplierParty/Party/Contact/ElectronicMail
BT-44   | Stadtwerke Nord             | BuyerTradeParty/Name                                      | AccountingCustomerParty/Party/PartyLegalEntity/RegistrationName
BT-48   | FR12345678901               | BuyerTradeParty/SpecifiedTaxRegistration/ID               | AccountingCustomerParty/Party/PartyTaxScheme/CompanyID
BT-49   | 04011000-12345-03           | BuyerTradeParty/URIUniversalCommunication/URIID           | AccountingCustomerParty/Party/EndpointID
BT-52   | Lyon                        | BuyerTradeParty/PostalTradeAddress/CityName               | AccountingCustomerParty/Party/PostalAddress/CityName
BT-56   | Grace Hopper                | BuyerTradeParty/DefinedTradeContact/PersonName            | AccountingCustomerParty/Party/Contact/Name
BT-72   | 2026-10-31                  | ApplicableHeaderTradeDelivery/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString | Delivery/ActualDeliveryDate
BT-73   | 2026-10-01                  | ApplicableHeaderTradeSettlement/BillingSpecifiedPeriod/StartDateTime/DateTimeString | Invoice/InvoicePeriod/StartDate
BT-74   | 2026-10-31                  | ApplicableHeaderTradeSettlement/BillingSpecifiedPeriod/EndDateTime/DateTimeString | Invoice/InvoicePeriod/EndDate
BT-80   | FR                          | ShipToTradeParty/PostalTradeAddress/CountryID             | DeliveryLocation/Address/Country/IdentificationCode
BT-81   | 58                          | SpecifiedTradeSettlementPaymentMeans/TypeCode             | PaymentMeansCode
BT-83   | INV-000042                  | PaymentReference                                          | PaymentID
BT-84   | DE02120300000000202051      | PayeePartyCreditorFinancialAccount/IBANID                 | PayeeFinancialAccount/ID
BT-85   | Acme Consulting             | PayeePartyCreditorFinancialAccount/AccountName            | PayeeFinancialAccount/Name
BT-86   | BYLADEM1001                 | PayeeSpecifiedCreditorFinancialInstitution/BICID          | FinancialInstitutionBranch/ID
BT-106  | 364.50                      | SpecifiedTradeSettlementHeaderMonetarySummation/LineTotalAmount | LegalMonetaryTotal/LineExtensionAmount
BT-109  | 364.50                      | TaxBasisTotalAmount                                       | TaxExclusiveAmount
BT-110  | 34.20                       | TaxTotalAmount                                            | TaxTotal/TaxAmount
BT-112  | 398.70                      | GrandTotalAmount                                          | TaxInclusiveAmount
BT-115  | 398.70                      | DuePayableAmount                                          | PayableAmount
BT-116  | 184.50, 180.00              | ApplicableHeaderTradeSettlement/ApplicableTradeTax/BasisAmount | TaxableAmount
BT-117  | 0.00, 34.20                 | CalculatedAmount                                          | TaxSubtotal/TaxAmount
BT-118  | K, S                        | ApplicableHeaderTradeSettlement/ApplicableTradeTax/CategoryCode | TaxSubtotal/TaxCategory/ID
BT-119  | 0, 19                       | ApplicableHeaderTradeSettlement/ApplicableTradeTax/RateApplicablePercent | TaxSubtotal/TaxCategory/Percent
BT-120  | Steuerfreie innergemeinschaftliche Lieferung. | ExemptionReason                         | TaxExemptionReason
BT-121  | VATEX-EU-IC                 | ExemptionReasonCode                                       | TaxExemptionReasonCode
BT-126  | 1, 2                        | LineID                                                    | InvoiceLine/ID
BT-129  | 2.5, 91                     | BilledQuantity                                            | InvoicedQuantity
BT-130  | DAY, MIN                    | BilledQuantity@unitCode                                   | InvoicedQuantity@unitCode
BT-131  | 180.00, 184.50              | SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount | InvoiceLine/LineExtensionAmount
BT-134  | 2026-10-02                  | SpecifiedLineTradeSettlement/BillingSpecifiedPeriod/StartDateTime/DateTimeString | InvoiceLine/InvoicePeriod/StartDate
BT-135  | 2026-10-03                  | SpecifiedLineTradeSettlement/BillingSpecifiedPeriod/EndDateTime/DateTimeString | InvoiceLine/InvoicePeriod/EndDate
BT-136  | 20.00, 20.50                | SpecifiedTradeAllowanceCharge/ActualAmount                | AllowanceCharge/Amount
BT-137  | 200.00, 205.00              | SpecifiedTradeAllowanceCharge/BasisAmount                 | AllowanceCharge/BaseAmount
BT-138  | 10, 10                      | SpecifiedTradeAllowanceCharge/CalculationPercent          | AllowanceCharge/MultiplierFactorNumeric
BT-140  | 95, 95                      | SpecifiedTradeAllowanceCharge/ReasonCode                  | AllowanceCharge/AllowanceChargeReasonCode
BT-146  | 80, 205.00                  | NetPriceProductTradePrice/ChargeAmount                    | PriceAmount
BT-149  | 91                          | NetPriceProductTradePrice/BasisQuantity                   | BaseQuantity
BT-150  | MIN                         | NetPriceProductTradePrice/BasisQuantity@unitCode          | BaseQuantity@unitCode
BT-151  | S, K                        | SpecifiedLineTradeSettlement/ApplicableTradeTax/CategoryCode | ClassifiedTaxCategory/ID
BT-152  | 19, 0                       | SpecifiedLineTradeSettlement/ApplicableTradeTax/RateApplicablePercent | ClassifiedTaxCategory/Percent
BT-153  | Training, Website           | SpecifiedTradeProduct/Name                                | Item/Name
BT-154  | At their office, 2. Oktober 2026 | SpecifiedTradeProduct/Description                         | Item/Description`;

const DOCUMENT = invoice({
  discountPercent: '10.0',
  notes: 'Thank you.',
  customer: { countryCode: 'FR', city: 'Lyon', vatNumber: 'FR12345678901' },
  lineItems: [
    line({ name: 'Training', quantity: '2.50', unit: 'day', price: '080', amount: '200.00' }),
    line({
      name: 'Website',
      description: '2026-10-02',
      entryIds: ['0198c0de-0000-7000-8000-000000000002'],
      quantity: '1.516667',
      price: '135.16',
      amount: '205.00',
      taxRate: null,
      taxCategory: 'intra_community',
      serviceFrom: '2026-10-02',
      serviceTo: '2026-10-03',
    }),
  ],
});

describe('an e-invoice', () => {
  const [cii, ubl] = [written(DOCUMENT, 'en16931-cii'), written(DOCUMENT, 'en16931-ubl')];

  const terms = TERMS.trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()));

  it.each(terms)('has %s, which is %s, in CII and in UBL', (_, values = '', ciiPath = '', ublPath = '') => {
    const inCii = ciiPath.endsWith('/DateTimeString') ? values.replaceAll('-', '') : values;
    expect(textsAt(cii, ciiPath).join(', ')).toBe(inCii);
    expect(textsAt(ubl, ublPath).join(', ')).toBe(values);
  });

  it('has the VAT id and the tax number of the seller, each in its own scheme', () => {
    expect(textsAt(cii, 'SellerTradeParty/SpecifiedTaxRegistration/ID')).toEqual(['29/815/08150', 'DE123456789']);
    expect(textsAt(cii, 'SellerTradeParty/SpecifiedTaxRegistration/ID@schemeID')).toEqual(['FC', 'VA']);
    const scheme = 'AccountingSupplierParty/Party/PartyTaxScheme';
    expect(textsAt(ubl, `${scheme}/CompanyID`)).toEqual(['DE123456789', '29/815/08150']);
    expect(textsAt(ubl, `${scheme}/TaxScheme/ID`)).toEqual(['VAT', 'TAX']);
  });

  it('says how CII writes its dates, and in which currency every amount of UBL is', () => {
    expect(new Set(textsAt(cii, 'DateTimeString@format'))).toEqual(new Set(['102']));
    const amounts = ['TaxAmount', 'PayableAmount', 'PriceAmount', 'LineExtensionAmount', 'AllowanceCharge/BaseAmount'];
    for (const amount of amounts) expect(new Set(textsAt(ubl, `${amount}@currencyID`))).toEqual(new Set(['EUR']));
  });
});

const CORE = 'urn:cen.eu:en16931:2017';
const XRECHNUNG = `${CORE}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`;
const PEPPOL = `${CORE}#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0`;
const PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';

describe('formats', () => {
  it.each([
    ['en16931-cii', 'rsm:CrossIndustryInvoice', CORE, []],
    ['en16931-ubl', 'Invoice', CORE, []],
    ['xrechnung-cii', 'rsm:CrossIndustryInvoice', XRECHNUNG, [PROCESS]],
    ['xrechnung-ubl', 'Invoice', XRECHNUNG, [PROCESS]],
    ['peppol-bis', 'Invoice', PEPPOL, [PROCESS]],
  ] as const)('%s says what it is', (format, rootName, specification, processes) => {
    const root = written(invoice(), format);
    const at = (ciiPath: string, ublPath: string) => textsAt(root, format.endsWith('cii') ? ciiPath : ublPath);
    expect(root.name).toBe(rootName);
    expect(at('GuidelineSpecifiedDocumentContextParameter/ID', 'CustomizationID')).toEqual([specification]);
    expect(at('BusinessProcessSpecifiedDocumentContextParameter/ID', 'ProfileID')).toEqual(processes);
  });
});

describe('a credit note', () => {
  const [cii, ubl] = [written(creditNote(), 'xrechnung-cii'), written(creditNote(), 'peppol-bis')];

  it('is of type 381, and in UBL a document of its own', () => {
    expect(textsAt(cii, 'ExchangedDocument/TypeCode')).toEqual(['381']);
    expect(ubl.name).toBe('CreditNote');
    expect(textsAt(ubl, 'CreditNoteTypeCode')).toEqual(['381']);
    expect(textsAt(ubl, 'CreditNoteLine/CreditedQuantity')).toEqual(['1']);
  });

  it('names the invoice, its date and the reason', () => {
    expect(textsAt(cii, 'InvoiceReferencedDocument/IssuerAssignedID')).toEqual(['INV-000042']);
    expect(textsAt(cii, 'FormattedIssueDateTime/DateTimeString')).toEqual(['20261103']);
    expect(textsAt(ubl, 'InvoiceDocumentReference/ID')).toEqual(['INV-000042']);
    expect(textsAt(ubl, 'InvoiceDocumentReference/IssueDate')).toEqual(['2026-11-03']);
    expect(textsAt(ubl, 'CreditNote/Note')).toEqual(['One hour too many']);
  });

  it('has the amount due that the rules want, and says that nothing is to be paid', () => {
    expect(textsAt(ubl, 'PayableAmount')).toEqual(['119.00']);
    expect(textsAt(ubl, 'PaymentTerms/Note')).toEqual(['Es ist nichts zu zahlen: Der Betrag wird gutgeschrieben.']);
  });

  it('by amount is of one piece at that price, whatever the invoice has of the line', () => {
    const document = invoice({ lineItems: [line({ quantity: '3', amount: '300.00' })] });
    const wishes = document.lineItems.map(({ id }) => ({ lineItemId: id, amount: '50.00' }));
    const parts = creditParts(document, new Map(), wishes, () => undefined);
    const note = { ...creditNote(), ...creditFigures(document, new Map(), parts, () => '') };
    for (const format of E_INVOICE_FORMATS) expect(checkEInvoice(note, format)).toEqual([]);
    const [byAmountCii, byAmountUbl] = [written(note, 'xrechnung-cii'), written(note, 'peppol-bis')];
    expect(textsAt(byAmountCii, 'BilledQuantity')).toEqual(['1']);
    expect(textsAt(byAmountCii, 'NetPriceProductTradePrice/ChargeAmount').map(Number)).toEqual([50]);
    expect(textsAt(byAmountUbl, 'CreditedQuantity')).toEqual(['1']);
    expect(textsAt(byAmountUbl, 'PriceAmount').map(Number)).toEqual([50]);
    expect(textsAt(byAmountUbl, 'CreditNoteLine/LineExtensionAmount')).toEqual(['50.00']);
  });

  it('has a purchase order, a period, and the day of delivery, which is its last one', () => {
    expect(textsAt(cii, 'BuyerOrderReferencedDocument/IssuerAssignedID')).toEqual(['PO-77']);
    expect(textsAt(cii, 'ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString')).toEqual(['20261031']);
    expect(textsAt(ubl, 'CreditNote/Delivery/ActualDeliveryDate')).toEqual(['2026-10-31']);
    expect(textsAt(cii, 'BillingSpecifiedPeriod/EndDateTime/DateTimeString')).toEqual(['20261031']);
    expect(textsAt(ubl, 'CreditNote/OrderReference/ID')).toEqual(['PO-77']);
    expect(textsAt(ubl, 'CreditNote/InvoicePeriod/StartDate')).toEqual(['2026-10-01']);
    expect(textsAt(ubl, 'CreditNote/InvoicePeriod/EndDate')).toEqual(['2026-10-31']);
  });
});

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

  const CII_SELLER_ID = 'SellerTradeParty/ID';
  const UBL_SELLER_ID = 'AccountingSupplierParty/Party/PartyIdentification/ID';

  it.each([
    ['an invoice', invoice],
    ['a credit note', creditNote],
  ])('is no seller that has a tax number alone, which identifies it (BT-29), from %s', (_, of) => {
    const tax = { taxRate: null, taxCategory: 'exempt', taxExemptionReason: '§ 19 UStG' } as const;
    const seller = { vatNumber: null, registrationNumber: ' ', taxNumber: '29/815/08150' };
    const document = of({ seller, lineItems: [line(tax)] });
    for (const format of E_INVOICE_FORMATS) {
      expect(checkEInvoice(document, format)).toEqual([]);
      const path = format.endsWith('cii') ? CII_SELLER_ID : UBL_SELLER_ID;
      expect(textsAt(written(document, format), path)).toEqual(['29/815/08150']);
    }
  });

  it('has no second identifier of a seller with a VAT id or a registration number that is in the file', () => {
    const idsOf = (document: PrintedInvoice) => textsAt(written(document, 'en16931-cii'), CII_SELLER_ID);
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

  it('pays without an account where the seller has none', () => {
    const root = written(invoice({ seller: { iban: null } }), 'en16931-ubl');
    expect(textsAt(root, 'PaymentMeansCode')).toEqual(['1']);
    expect(textsAt(root, 'PayeeFinancialAccount')).toEqual([]);
  });

  it.each([
    ['en16931-cii', 'SpecifiedTradePaymentTerms/Description'],
    ['peppol-bis', 'PaymentTerms/Note'],
  ] as const)('tells an account without an IBAN in its terms of payment, in %s', (format, path) => {
    const bankDetails = '#1 Bank, account 123\n \t# 42';
    const termsOf = (document: PrintedInvoice) => {
      expect(checkEInvoice(document, format)).toEqual([]);
      return textsAt(written(document, format), path);
    };
    expect(termsOf(invoice({ seller: { iban: null, bankDetails: 'Bank 1\nAccount #2' } }))).toEqual([
      'Bank 1\nAccount #2',
    ]);
    // Not `#` at the beginning of a line, which German rules take for a cash discount.
    expect(termsOf(invoice({ seller: { iban: null, bankDetails }, dueDate: null }))).toEqual([
      '\u00a0#1 Bank, account 123\n\u00a0 \t# 42',
    ]);
    const free = [line({ price: '0', amount: '0.00' })];
    for (const parts of [
      { seller: { bankDetails } },
      { seller: { iban: null, bankDetails: ' ' } },
      { seller: { iban: null, bankDetails }, lineItems: free },
    ]) {
      expect(termsOf(invoice(parts))).toEqual([]);
    }
    expect(termsOf(creditNote({ seller: { iban: null, bankDetails } })).join()).toMatch(
      /^Es ist nichts zu zahlen: [^#]*$/,
    );
  });

  it('names no VAT id and no rate of a line outside the scope of VAT', () => {
    const document = invoice({ lineItems: [line({ taxRate: null, taxCategory: 'outside_scope' })] });
    const root = written(document, 'en16931-ubl');
    expect(textsAt(root, 'PartyTaxScheme/CompanyID')).toEqual(['29/815/08150']);
    expect(textsAt(root, 'ClassifiedTaxCategory/Percent')).toEqual([]);
    expect(textsAt(root, 'TaxSubtotal/TaxCategory/Percent')).toEqual(['0']);
  });

  it('gives no reason for a rate of zero, which is no exemption', () => {
    const document = invoice({ lineItems: [line({ taxRate: '0', taxExemptionReason: 'Small' })] });
    expect(textsAt(written(document, 'en16931-ubl'), 'TaxExemptionReason')).toEqual([]);
  });
});

describe('codes', () => {
  it.each([
    ['hour', 'HUR'],
    ['day', 'DAY'],
    ['month', 'MON'],
    ['piece', 'C62'],
    ['unit', 'C62'],
    ['', 'C62'],
    ['Palette', 'C62'],
  ])('counts the unit %j as %s', (unit, code) => {
    const root = written(invoice({ lineItems: [line({ unit })] }), 'peppol-bis');
    expect(textsAt(root, 'InvoicedQuantity@unitCode')).toEqual([code]);
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
  const invisible = [
    '\r',
    '\r\n',
    '\t',
    '\n',
    ' ',
    '\u007f',
    '\u0085',
    '\u2028',
    '\u202e',
    '\u2067',
    '\u200f',
    '\ufeff',
  ];
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
