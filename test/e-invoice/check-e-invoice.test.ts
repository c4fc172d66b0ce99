import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newClient } from '#shared/domain/clients/client.ts';
import { E_INVOICE_FORMATS, type EInvoiceFormat } from '#shared/domain/e-invoice-format.ts';
import { creditInvoice } from '#shared/domain/invoices/credit-note.ts';
import { type Credited, creditFigures, creditParts, hasRest } from '#shared/domain/invoices/crediting.ts';
import type { TaxShare } from '#shared/domain/invoices/figures.ts';
import { newInvoice, type ShownLine } from '#shared/domain/invoices/invoice.ts';
import type { Customer } from '#shared/domain/invoices/parties.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { asSent } from '#shared/domain/invoices/sending.ts';
import { formatMinor, lineAmountMinor } from '#shared/domain/money.ts';
import type { Seller } from '#shared/domain/organization/organization.ts';
import type { TaxRounding } from '#shared/domain/tax.ts';
import { checkEInvoice } from '#shared/e-invoice/check-e-invoice.ts';
import { assertCreditGoodForCustomer } from '#shared/e-invoice/e-invoice.ts';
import { writeEInvoice } from '#shared/e-invoice/write-e-invoice.ts';
import { draws } from '#test/support/draws.ts';
import { FIRST_CREDIT } from '#test/support/invoice-sources.ts';
import { organizationOf } from '#test/support/organization.ts';
import { creditNote, invoice, line } from './documents.ts';

const found = (document: PrintedInvoice, format: EInvoiceFormat): string[] =>
  checkEInvoice(document, format).map(({ rule, path }) => `${rule} ${path}`);

const CORE = ['en16931-cii', 'en16931-ubl'] as const;
const XRECHNUNG = ['xrechnung-cii', 'xrechnung-ubl'] as const;
const PEPPOL = ['peppol-bis'] as const;
const CII = ['en16931-cii', 'xrechnung-cii'] as const;
const UBL = ['en16931-ubl', 'xrechnung-ubl', 'peppol-bis'] as const;
const ALL = E_INVOICE_FORMATS;

/** The finding, the formats that have it, and the document. */
type Broken = readonly [string, readonly EInvoiceFormat[], PrintedInvoice];

const oneLine = (changes: Partial<ShownLine>, others: Parameters<typeof invoice>[0] = {}) =>
  invoice({ ...others, lineItems: [line(changes)] });

const abroad = { countryCode: 'FR', vatNumber: 'FR12345678901' };
const exempt = { taxRate: null, taxCategory: 'exempt', taxExemptionReason: '§ 4 Nr. 21 UStG' } as const;
const reverse = { taxRate: null, taxCategory: 'reverse_charge' } as const;
const intra = { taxRate: null, taxCategory: 'intra_community' } as const;
const exported = { taxRate: null, taxCategory: 'export' } as const;
const outside = { taxRate: null, taxCategory: 'outside_scope' } as const;
const lastDays = { serviceFrom: '2026-10-30', serviceTo: '2026-10-31' };
const untaxed = { vatNumber: null, taxNumber: null };

/** Both roundings of 19 percent of 0.13 and 0.13 differ. */
const unevenLines = [line({ price: '0.13', amount: '0.13' }), line({ price: '0.13', amount: '0.13' })];

const tax = (changes: Partial<TaxShare>): TaxShare[] => invoice().taxes.map((share) => ({ ...share, ...changes }));

/** The document with a cent more as the base of tax than its lines have together. */
const misstated = (document: PrintedInvoice): PrintedInvoice => ({
  ...document,
  taxes: document.taxes.map((share) => ({ ...share, base: '100.01' })),
});

/** A discount of 10 percent of 100.00 as it should not be. */
const discounted = (discount: string, subtotal: string, taxTotal: string, total: string): PrintedInvoice => ({
  ...invoice({ discountPercent: '10' }),
  lineItems: [line({ discount })],
  taxes: tax({ base: subtotal, amount: taxTotal }),
  discountTotal: discount,
  subtotal,
  taxTotal,
  total,
});

const fromAddress = (scheme: string, id: string) => invoice({ seller: { electronicAddress: { scheme, id } } });
const toAddress = (scheme: string, id: string) => invoice({ customer: { electronicAddress: { scheme, id } } });

const CORE_CASES: readonly Broken[] = [
  ['BR-07 customer.name', ALL, invoice({ customer: { name: ' ' } })],
  ['BR-09 seller.countryCode', ALL, invoice({ seller: { countryCode: null } })],
  ['BR-11 customer.countryCode', ALL, invoice({ customer: { countryCode: null } })],
  ['BR-25 lineItems.0.name', ALL, oneLine({ name: '\t ' })],
  ['BR-CL-25 customer.electronicAddress.scheme', ALL, toAddress('9999', '1')],
  ['BR-CL-04 currency', ALL, invoice({ currency: 'HRK' })],
  ['BR-CL-14 seller.countryCode', CII, invoice({ seller: { countryCode: 'SS' } })],
  ['BR-CO-04 lineItems.1.taxCategory', ALL, invoice({ lineItems: [line(), line({ taxRate: null })] })],
  ['BR-CO-09 seller.vatNumber', ALL, invoice({ seller: { vatNumber: '123456789' } })],
  ['BR-CO-09 seller.vatNumber', ALL, invoice({ seller: { vatNumber: 'de123456789' } })],
  ['BR-CO-09 customer.vatNumber', CII, invoice({ customer: { vatNumber: 'SS123456789' } })],
  ['BR-CO-17 taxes.0.amount', ALL, invoice({ lineItems: unevenLines, taxRounding: 'line' })],
  ['BR-CO-17 taxes.0.amount', ALL, creditNote({ taxes: tax({ amount: '20.00' }), taxTotal: '20.00', total: '120.00' })],
  ['BR-CO-17 taxes.0.taxRate', ALL, oneLine({ taxRate: '0.499999', price: '101', amount: '101.00' })],
  [
    'BR-CO-26 seller.registrationNumber',
    ALL,
    oneLine(outside, { seller: { registrationNumber: ' ', taxNumber: null } }),
  ],
  ['BR-CO-10 subtotal', ALL, invoice({ subtotal: '100.01', total: '119.01' })],
  ['BR-CO-14 taxTotal', ALL, invoice({ taxTotal: '19.01', total: '119.01' })],
  ['BR-CO-15 total', ALL, invoice({ total: '119.01' })],
  ['BR-S-08 taxes.0.base', ALL, misstated(invoice())],
  ['BR-IC-08 taxes.0.base', ALL, misstated(oneLine(intra, { customer: abroad }))],
  ['BR-O-08 taxes.0.base', ALL, misstated(oneLine(outside))],
  ['BR-E-10 lineItems.0.taxExemptionReason', ALL, oneLine({ ...exempt, taxExemptionReason: null })],
  ['BR-E-10 lineItems.0.taxExemptionReason', ALL, oneLine({ ...exempt, taxExemptionReason: ' ' })],
  ['BR-S-02 seller.vatNumber', CORE, oneLine({}, { seller: untaxed })],
  ['BR-Z-02 seller.vatNumber', CORE, oneLine({ taxRate: '0' }, { seller: untaxed })],
  ['BR-E-02 seller.vatNumber', CORE, oneLine(exempt, { seller: untaxed })],
  ['BR-AE-02 seller.vatNumber', CORE, oneLine(reverse, { seller: untaxed })],
  ['BR-AE-02 customer.vatNumber', ALL, oneLine(reverse, { customer: { vatNumber: null } })],
  ['BR-IC-02 seller.vatNumber', ALL, oneLine(intra, { customer: abroad, seller: { vatNumber: null } })],
  ['BR-IC-02 customer.vatNumber', ALL, oneLine(intra, { customer: { ...abroad, vatNumber: null } })],
  ['BR-IC-11 serviceTo', ALL, oneLine(intra, { customer: abroad, serviceFrom: null, serviceTo: null })],
  ['BR-G-02 seller.vatNumber', ALL, oneLine(exported, { seller: { vatNumber: null } })],
];

const priced = (amount: string, changes: Partial<ShownLine> = {}, customer: Partial<Customer> = {}) =>
  oneLine({ price: amount, amount, ...changes }, { customer });

/** Right amounts of which the rules make binary floats. The authors' rules have judged each, in every format. */
const LARGE_CASES: readonly Broken[] = [
  ['BR-CO-10 subtotal', CII, priced('80000000000000.65', exported)],
  ['BR-CO-14 taxTotal', CII, priced('30000000000000.67', { taxRate: '100' })],
  ['BR-DEC-13 taxTotal', CII, priced('200000000000000.66')],
];

const SHARED = [...XRECHNUNG, ...PEPPOL];
const lateLine = { serviceFrom: '2026-10-05', serviceTo: '2026-11-01' };
const earlyLine = { serviceFrom: '2026-09-30', serviceTo: '2026-10-02' };

const PEPPOL_CASES: readonly Broken[] = [
  ['PEPPOL-EN16931-R010 customer.electronicAddress', SHARED, invoice({ customer: { electronicAddress: null } })],
  ['PEPPOL-EN16931-R020 seller.electronicAddress', SHARED, invoice({ seller: { electronicAddress: null } })],
  ['PEPPOL-EN16931-R040 lineItems.0.discount', SHARED, discounted('10.03', '89.97', '17.09', '107.06')],
  ['PEPPOL-EN16931-R110 lineItems.0.serviceFrom', SHARED, oneLine(earlyLine)],
  ['PEPPOL-EN16931-R111 lineItems.0.serviceTo', SHARED, oneLine(lateLine)],
  ['PEPPOL-EN16931-R120 lineItems.0.amount', PEPPOL, oneLine({ amount: '100.03' })],
  ['PEPPOL-EN16931-R120 lineItems.0.amount', PEPPOL, oneLine({ amount: '99.97' })],
  [
    'PEPPOL-EN16931-R003 customer.buyerReference',
    PEPPOL,
    invoice({ customer: { ...abroad, buyerReference: null }, purchaseOrder: ' ' }),
  ],
  ['BR-CL-04 currency', PEPPOL, invoice({ currency: 'XCG' })],
  ['BR-CL-04 currency', PEPPOL, invoice({ currency: 'MRU' })],
  ['BR-CO-25 dueDate', PEPPOL, invoice({ dueDate: null })],
  ['PEPPOL-EN16931-CL008 seller.electronicAddress.scheme', PEPPOL, fromAddress('EM', 'billing@acme.example')],
  ['PEPPOL-EN16931-CL008 seller.electronicAddress.scheme', PEPPOL, fromAddress('0248', '1')],
  ['PEPPOL-COMMON-R040 customer.electronicAddress.id', PEPPOL, toAddress('0088', '4006381333932')],
  ['PEPPOL-COMMON-R041 customer.electronicAddress.id', PEPPOL, toAddress('0192', '974760674')],
  ['PEPPOL-COMMON-R042 customer.electronicAddress.id', PEPPOL, toAddress('0184', 'DK1234567')],
  ['PEPPOL-COMMON-R043 customer.electronicAddress.id', PEPPOL, toAddress('0208', '0202239952')],
  ['PEPPOL-COMMON-R049 customer.electronicAddress.id', PEPPOL, toAddress('0007', '5560125791')],
  ['PEPPOL-COMMON-R050 customer.electronicAddress.id', PEPPOL, toAddress('0151', '51824753557')],
];

const danish = { countryCode: 'DK', vatNumber: 'DK12345678', registrationNumber: '12345678' };
const dutch = { countryCode: 'NL', vatNumber: 'NL123456789B01', registrationNumber: '12345678' };
const icelandic = { countryCode: 'IS', vatNumber: 'IS12345', registrationNumber: '5501694599' };
const italian = { countryCode: 'IT', vatNumber: 'IT12345678901', taxNumber: 'ABCDEF12G34H567I' };
const norwegian = { countryCode: 'NO', vatNumber: 'NO974760673MVA', registrationNumber: '974760673' };
const swedish = {
  countryCode: 'SE',
  vatNumber: 'SE556012579001',
  registrationNumber: '5560125790',
  taxNumber: 'Godkänd för F-skatt',
};
const fromSweden = (changes: Partial<Seller>) =>
  invoice({ seller: { ...swedish, ...changes }, lineItems: [line({ taxRate: '25' })] });

const NATIONAL_CASES: readonly (readonly [string, PrintedInvoice])[] = [
  ['DK-R-002 seller.registrationNumber', invoice({ seller: { ...danish, registrationNumber: null } })],
  [
    'PEPPOL-COMMON-R042 seller.registrationNumber',
    invoice({ seller: { ...danish, registrationNumber: 'CVR 12345678' } }),
  ],
  ['GR-R-001-1 number', invoice({ seller: { countryCode: 'GR', vatNumber: 'EL094259216' } })],
  ['IS-R-002 seller.registrationNumber', invoice({ seller: { ...icelandic, registrationNumber: null } })],
  ['IS-R-003 seller.addressLine1', invoice({ seller: { ...icelandic, addressLine1: null } })],
  ['IS-R-003 seller.postalCode', invoice({ seller: { ...icelandic, postalCode: null } })],
  ['IS-R-004 customer', invoice({ seller: icelandic, customer: { countryCode: 'IS' } })],
  ['IT-R-001 seller.taxNumber', invoice({ seller: { ...italian, taxNumber: '29/815' } })],
  ['IT-R-002 seller.addressLine1', invoice({ seller: { ...italian, addressLine1: null } })],
  ['IT-R-003 seller.city', invoice({ seller: { ...italian, city: null } })],
  ['IT-R-004 seller.postalCode', invoice({ seller: { ...italian, postalCode: null } })],
  ['NL-R-002 seller.addressLine1', invoice({ seller: { ...dutch, addressLine1: null } })],
  ['NL-R-002 seller.city', invoice({ seller: { ...dutch, city: null } })],
  ['NL-R-002 seller.postalCode', invoice({ seller: { ...dutch, postalCode: null } })],
  ['NL-R-004 customer.addressLine1', invoice({ seller: dutch, customer: { countryCode: 'NL', addressLine1: null } })],
  ['NL-R-004 customer.city', invoice({ seller: dutch, customer: { countryCode: 'NL', city: null } })],
  ['NL-R-004 customer.postalCode', invoice({ seller: dutch, customer: { countryCode: 'NL', postalCode: null } })],
  ['NL-R-008 seller.iban', invoice({ seller: { ...dutch, iban: null }, customer: { countryCode: 'NL' } })],
  ['NO-R-001 seller.vatNumber', invoice({ seller: { ...norwegian, vatNumber: 'NO974760673' } })],
  ['NO-R-001 seller.vatNumber', invoice({ seller: { ...norwegian, vatNumber: 'NO974760674MVA' } })],
  ['SE-R-001 seller.vatNumber', fromSweden({ vatNumber: 'SE5560125790012' })],
  ['SE-R-002 seller.vatNumber', fromSweden({ vatNumber: 'SE55601257900A' })],
  ['SE-R-005 seller.taxNumber', fromSweden({ taxNumber: '29/815' })],
  ['SE-R-006 taxes.0.taxRate', invoice({ seller: swedish })],
  ['SE-R-013 seller.registrationNumber', fromSweden({ registrationNumber: '5560125791' })],
];

describe.each([
  ['EN 16931', CORE_CASES],
  ['EN 16931 on large amounts', LARGE_CASES],
  ['Peppol', PEPPOL_CASES],
])('rules of %s', (_, cases) => {
  it.each(cases)('%s is found where it is broken alone, in %j', (finding, formats, document) => {
    for (const format of formats) expect(found(document, format), format).toEqual([finding]);
    for (const format of CORE) if (!formats.includes(format)) expect(found(document, format), format).toEqual([]);
  });
});

describe('a large amount', () => {
  it('swallows small ones in a sum of floats, unless they come first', () => {
    const lines = ['562949953421312.00', '0.05', '0.05'].map((amount) => line({ price: amount, amount, ...exported }));
    const largeFirst = invoice({ lineItems: lines });
    const largeLast = invoice({ lineItems: lines.toReversed() });
    for (const format of CII) expect(found(largeFirst, format), format).toEqual(['BR-CO-10 subtotal']);
    for (const format of UBL) expect(found(largeFirst, format), format).toEqual([]);
    for (const format of ALL) expect(found(largeLast, format), format).toEqual([]);
  });
});

describe('rules of the countries of Peppol', () => {
  it.each(NATIONAL_CASES)('%s is found where it is broken alone, and in no other format', (finding, document) => {
    expect(found(document, 'peppol-bis')).toEqual([finding]);
    for (const format of CORE) expect(found(document, format), format).toEqual([]);
    // XRechnung wants parts of an address, too, by rules of its own.
    const others = (format: EInvoiceFormat) => found(document, format).filter((each) => !each.startsWith('BR-DE-'));
    for (const format of XRECHNUNG) expect(others(format), format).toEqual([]);
  });
});

describe('a credit note', () => {
  const now = new Date('2026-11-20T12:00:00.000Z');
  const terms = { currency: 'EUR', purchaseOrder: 'PO-77', serviceFrom: '2026-10-01', serviceTo: '2026-10-31' };

  /** The invoice has lines without days. */
  const credit = (changes: Partial<Customer>, reason = 'x') => {
    const { seller, customer } = invoice({ customer: changes });
    const client = newClient({ name: 'Globex' }, 'org', 'client', now);
    const organization = organizationOf({ taxRounding: 'rate' });
    const draft = newInvoice(terms, { organization, client }, [line(intra)], 'invoice', now);
    const sent = { ...asSent(draft, 'INV-000042', now), seller, customer };
    return { sent, creditNote: creditInvoice(sent, { reason, releaseEntries: true }, FIRST_CREDIT, now).creditNote };
  };

  it('is refused where it is no e-invoice of the format of its customer, and the invoice is one', () => {
    const assert = (changes: Partial<Customer>, reason: string) => () => {
      const { sent, creditNote: made } = credit({ ...abroad, ...changes }, reason);
      assertCreditGoodForCustomer(made, sent);
    };
    const refusal = expect.objectContaining({ code: 'e_invoice_incomplete' });
    expect(assert({ eInvoiceFormat: 'xrechnung-cii' }, 'x\u0001')).toThrow(refusal);
    expect(assert({ eInvoiceFormat: 'xrechnung-cii' }, 'x')).not.toThrow();
    expect(assert({ eInvoiceFormat: 'xrechnung-cii', electronicAddress: null }, 'x\u0001')).not.toThrow();
    expect(assert({}, 'x\u0001')).not.toThrow();
  });
});

type GermanFinding = readonly [number, string];

const GERMAN_PARTS: readonly GermanFinding[] = [
  [3, 'seller.city'],
  [4, 'seller.postalCode'],
  [5, 'seller.contactName'],
  [6, 'seller.phone'],
  [7, 'seller.email'],
  [8, 'customer.city'],
  [9, 'customer.postalCode'],
  [15, 'customer.buyerReference'],
];

const named = (format: EInvoiceFormat, findings: readonly GermanFinding[]): string[] =>
  findings.map(([number, path]) =>
    format === 'peppol-bis' ? `DE-R-${String(number).padStart(3, '0')} ${path}` : `BR-DE-${number} ${path}`,
  );

describe('rules that are not broken alone', () => {
  it('an e-invoice has a line, and each has a tax category', () => {
    expect(found(invoice({ lineItems: [] }), 'xrechnung-cii')).toEqual(['BR-16 lineItems', 'BR-CO-18 lineItems']);
    const uncategorized = oneLine({ taxRate: null });
    for (const format of ALL) {
      expect(found(uncategorized, format)).toEqual(['BR-CO-18 lineItems', 'BR-CO-04 lineItems.0.taxCategory']);
    }
  });

  it('a line outside the scope of VAT is with no other', () => {
    const document = invoice({ lineItems: [line(outside), line(), line(outside), line({ taxRate: '0' })] });
    const parties = ['BR-O-02 seller.vatNumber', 'BR-O-02 customer.vatNumber'];
    const lines = ['BR-O-12 lineItems.1.taxCategory', 'BR-O-12 lineItems.3.taxCategory'];
    for (const format of ALL) expect(found(document, format)).toEqual([...parties, 'BR-O-11 taxes', ...lines]);
  });

  it('an intra-community supply names the place of delivery', () => {
    const document = oneLine(intra, { customer: { ...abroad, countryCode: null } });
    const rules = ['BR-11', 'BR-57', 'BR-IC-12'].map((rule) => `${rule} customer.countryCode`);
    for (const format of ALL) expect(found(document, format)).toEqual(rules);
  });

  it.each(SHARED)('a German seller names the city and the postal code of delivery, in %s', (format) => {
    const supplied = (customer: Partial<Customer>) => found(oneLine(intra, { customer }), format);
    const city: GermanFinding[] = [8, 10].map((number) => [number, 'customer.city']);
    const postalCode: GermanFinding[] = [9, 11].map((number) => [number, 'customer.postalCode']);
    expect(supplied({ city: null })).toEqual(named(format, city));
    expect(supplied({ postalCode: null })).toEqual(named(format, postalCode));
  });

  it.each(SHARED)('a German seller has a contact, which has all its parts, and so have addresses, in %s', (format) => {
    for (const finding of GERMAN_PARTS) {
      const [party = '', member = ''] = finding[1].split('.');
      expect(found(invoice({ [party]: { [member]: null } }), format)).toEqual(named(format, [finding]));
    }
    const document = invoice({ seller: { contactName: null, phone: null, email: null } });
    expect(found(document, format)).toEqual(named(format, [[2, 'seller'], ...GERMAN_PARTS.slice(2, 5)]));
  });

  it.each(SHARED)('a German seller has a VAT id or a tax number, in %s', (format) => {
    const german = named(format, [[16, 'seller.vatNumber']]);
    const untaxedWith = (changes: Partial<ShownLine>) => found(oneLine(changes, { seller: untaxed }), format);
    expect(untaxedWith({})).toEqual(['BR-S-02 seller.vatNumber', ...german]);
    expect(untaxedWith(exempt)).toEqual(['BR-E-02 seller.vatNumber', ...german]);
    expect(untaxedWith(outside)).toEqual([]);
  });

  it('a currency without two decimals hides the others', () => {
    const document = invoice({ currency: 'JPY', lineItems: [line({ amount: '100' })], seller: { countryCode: null } });
    for (const format of ALL) expect(found(document, format)).toEqual(['currency_not_supported currency']);
  });

  it('an Icelandic buyer has an address', () => {
    const document = invoice({
      seller: icelandic,
      customer: { countryCode: 'IS', addressLine1: null, postalCode: null },
    });
    const parts = ['addressLine1', 'postalCode'].map((part) => `IS-R-005 customer.${part}`);
    expect(found(document, 'peppol-bis')).toEqual(['IS-R-004 customer', ...parts]);
  });

  it('a Swedish organization number has ten digits', () => {
    const registered = (registrationNumber: string) => found(fromSweden({ registrationNumber }), 'peppol-bis');
    const [digits, length, check] = ['003', '004', '013'].map((rule) => `SE-R-${rule} seller.registrationNumber`);
    expect(registered('556012579')).toEqual([length, check]);
    expect(registered('55601257X0')).toEqual([digits, check]);
  });
});

describe('a character that XML does not have', () => {
  const text = 'x\u0001';
  const address = ['addressLine1', 'addressLine2', 'city', 'region', 'postalCode'];
  const party = [...address, 'name', 'email', 'phone', 'website', 'vatNumber', 'taxNumber'];
  const seller = [...party, 'legalName', 'registrationNumber', 'bankDetails', 'accountName', 'contactName'];
  const customer = [...party, 'contact', 'buyerReference'];
  const addressed = { electronicAddress: { scheme: '9930', id: text } };

  type Parts = NonNullable<Parameters<typeof invoice>[0]>;

  /** By the path of the member that has the character. */
  const spoilt = (parts: Parts): (readonly [string, Parts])[] => [
    ...seller.map((member) => [`seller.${member}`, { ...parts, seller: { ...parts.seller, [member]: text } }] as const),
    ...customer.map((member) => [`customer.${member}`, { ...parts, customer: { [member]: text } }] as const),
    ['seller.electronicAddress.id', { ...parts, seller: addressed }],
    ['customer.electronicAddress.id', { ...parts, customer: addressed }],
    ['purchaseOrder', { ...parts, purchaseOrder: text }],
    ['notes', { ...parts, notes: text }],
    ...['name', 'description', 'unit', 'taxExemptionReason'].map((member) => {
      const [first = line()] = parts.lineItems ?? [];
      return [`lineItems.0.${member}`, { ...parts, lineItems: [{ ...first, [member]: text }] }] as const;
    }),
  ];

  const isWritten = (document: PrintedInvoice): boolean => {
    try {
      return writeEInvoice(document, 'en16931-cii') !== '';
    } catch {
      return false;
    }
  };

  it.each<[string, Parts]>([
    ['a taxed line', {}],
    ['an exempt line', { lineItems: [line(exempt)] }],
    ['a line outside the scope of VAT', { lineItems: [line(outside)] }],
    ['no account', { seller: { iban: null } }],
    ['no legal name', { seller: { legalName: null } }],
  ])('is found exactly where it is in the file of an invoice with %s', (_, parts) => {
    for (const [path, changed] of spoilt(parts)) {
      const document = invoice(changed);
      const findings = found(document, 'en16931-cii').filter((finding) => finding.startsWith('xml_character'));
      expect(findings, path).toEqual(isWritten(document) ? [] : [`xml_character ${path}`]);
    }
  });
});

describe('what the rules tolerate', () => {
  it.each(['80000000000000.64', '900000000000000.00'])(
    'an amount as large as %s, whose digits a float holds',
    (amount) => {
      for (const format of ALL) expect(found(priced(amount, exported), format)).toEqual([]);
    },
  );

  it('two cents between an amount and quantity times price', () => {
    for (const amount of ['99.98', '100.02']) expect(found(oneLine({ amount }), 'peppol-bis')).toEqual([]);
  });

  it('two cents between a discount and its percentage', () => {
    expect(found(discounted('10.02', '89.98', '17.10', '107.08'), 'peppol-bis')).toEqual([]);
    expect(found(discounted('9.98', '90.02', '17.10', '107.12'), 'peppol-bis')).toEqual([]);
  });

  it('less than 1.00 of tax in a credit note, which cancels an invoice together with others', () => {
    const credited = (amount: string, total: string) =>
      found({ ...creditNote(), taxes: tax({ amount }), taxTotal: amount, total }, 'xrechnung-cii');
    expect(credited('19.99', '119.99')).toEqual([]);
    expect(credited('18.01', '118.01')).toEqual([]);
  });

  it('tax at half a percent, and less than half a unit of it below', () => {
    expect(found(oneLine({ taxRate: '0.5', price: '200', amount: '200.00' }), 'peppol-bis')).toEqual([]);
    expect(found(oneLine({ taxRate: '0.4' }), 'peppol-bis')).toEqual([]);
  });

  it.each([
    ['0088', '4006381333931'],
    ['0192', '974760673'],
    ['0184', '12345678'],
    ['0184', 'DK12345678'],
    ['0208', '0202239951'],
    ['0007', '5560125790'],
    ['0151', '51824753556'],
  ])('an electronic address of the scheme %s such as %s', (scheme, id) => {
    for (const format of ALL) expect(found(fromAddress(scheme, id), format)).toEqual([]);
  });

  it.each([
    ['Denmark', invoice({ seller: danish, customer: { countryCode: 'DK' } })],
    ['Italy without a tax number', invoice({ seller: { ...italian, taxNumber: null } })],
    ['Norway', invoice({ seller: norwegian })],
    ['Northern Ireland', invoice({ seller: { countryCode: 'GB', vatNumber: 'XI123456789' } })],
    ['Kosovo', invoice({ seller: { vatNumber: '1A123456789' } })],
  ])('a seller in %s', (_, document) => {
    for (const format of ALL) expect(found(document, format)).toEqual([]);
  });

  it.each<[string, Partial<ShownLine>[]]>([
    ['all categories but one', [{}, { taxRate: '7.00' }, { taxRate: '0' }, exempt, reverse, intra, exported]],
    ['the scope of VAT alone', [outside, outside]],
  ])('%s', (_, changes) => {
    const document = { customer: abroad, lineItems: changes.map((each) => line(each)) };
    const credited = { customer: abroad, lineItems: changes.map((each) => line({ ...each, ...lastDays })) };
    for (const format of ALL) {
      expect(found(invoice(document), format)).toEqual([]);
      expect(found(creditNote(credited), format)).toEqual([]);
    }
  });
});

describe('the rounding of tax', () => {
  const cents = fc.integer({ min: 1, max: 99_999 }).map((minor) => (minor / 100).toFixed(2));
  const lines = fc.array(fc.record({ amount: cents, taxRate: fc.constantFrom('19', '7', '5.5', '21', '0') }), {
    minLength: 1,
    maxLength: 8,
  });
  const discount = fc.constantFrom(null, '3', '12.345678', '33.3', '100');

  it('by rate is always accepted, and by line exactly where its figures are the same', () => {
    fc.assert(
      fc.property(lines, discount, fc.constantFrom(...ALL), (parts, discountPercent, format) => {
        const lineItems = parts.map(({ amount, taxRate }) => line({ amount, taxRate, price: amount }));
        const [byRate, byLine] = (['rate', 'line'] as const).map((taxRounding) =>
          invoice({ lineItems, discountPercent, taxRounding }),
        );
        if (!byRate || !byLine) throw new Error('No invoices.');
        expect(found(byRate, format)).toEqual([]);
        const differing = byLine.taxes.flatMap(({ amount }, position) =>
          amount === byRate.taxes[position]?.amount ? [] : `BR-CO-17 taxes.${position}.amount`,
        );
        expect(found(byLine, format)).toEqual(differing);
      }),
      { seed: 36, numRuns: draws(100) },
    );
  });
});

describe('credit notes', () => {
  const lines = fc.array(
    fc.record({
      price: fc.integer({ min: 1, max: 99_999 }).map((thousandths) => (thousandths / 1_000).toFixed(3)),
      quantity: fc.integer({ min: 1, max: 5 }).map(String),
      taxRate: fc.constantFrom('19', '7', '5.5', null),
    }),
    { minLength: 1, maxLength: 4 },
  );

  it('are accepted as their invoice is, however it is split', () => {
    fc.assert(
      fc.property(
        lines,
        fc.constantFrom(null, '3', '12.345678'),
        fc.constantFrom<TaxRounding[]>('line', 'rate'),
        fc.constantFrom(...ALL),
        (parts, discount, taxRounding, format) => {
          const ofParts = ({ price, quantity, taxRate }: (typeof parts)[number], position: number) => {
            const amount = formatMinor(lineAmountMinor(quantity, price, 'EUR'), 'EUR');
            const untaxedReason = taxRate === null ? exempt : {};
            return line({ id: String(position), price, quantity, amount, taxRate, ...untaxedReason });
          };
          const document = invoice({ lineItems: parts.map(ofParts), discountPercent: discount, taxRounding });
          const terms = { ...document, locale: null };
          fc.pre(found(document, format).length === 0);
          let credited: Credited = new Map();
          while (document.lineItems.some((item) => hasRest(item, credited.get(item.id)))) {
            const left = document.lineItems.filter((item) => hasRest(item, credited.get(item.id)));
            const wishes = left.map(({ id }) => ({ lineItemId: id, quantity: '1' }));
            const split = creditParts(document, credited, wishes, () => undefined);
            const figures = creditFigures(terms, credited, split, () => '');
            const note = { ...creditNote({ discountPercent: discount }), ...figures };
            expect(found(note, format)).toEqual([]);
            credited = new Map([...credited, ...split.map((part) => [part.line.id, part.after] as const)]);
          }
        },
      ),
      { seed: 36, numRuns: draws(60) },
    );
  });
});
