import { isCountry } from '#shared/domain/country.ts';
import { isElectronicScheme } from '#shared/domain/electronic-address.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { compareDecimals, type Decimal, parseMinor, percentageMinor, sumMinor } from '#shared/domain/money.ts';
import { FLOATING_POINT_RULES } from './floating-point-rules.ts';
import type { CategoryCode, EInvoice, Line, Party, VatBreakdown } from './model.ts';
import { type Finding, isWithin, lineRule, prefixOf, type Rule, rule, vatRule, where } from './rule.ts';

const APART = 'Lines outside the scope of VAT need an invoice of their own.';

/** The fatal rules of EN 16931 that our data can break. All others hold by the way in which the model is made. */
export const CORE_RULES: readonly Rule[] = [
  ...partyRules('seller', ({ seller }) => seller, 'BR-09'),
  ...partyRules('customer', ({ buyer }) => buyer, 'BR-11'),
  rule('BR-07', 'customer.name', 'The buyer needs a name.', ({ buyer }) => buyer.name !== null),
  rule(
    'BR-CO-26',
    'seller.registrationNumber',
    'The seller needs a VAT id, a registration number or a tax number; outside the scope of VAT the first does not count.',
    ({ seller }) => seller.vatIdentifier !== null || seller.legalRegistration !== null || seller.identifier !== null,
  ),
  ...categoryRules(
    ['S', 'Z', 'E', 'AE'],
    'seller.vatNumber',
    'The seller needs a VAT id or a tax number.',
    ({ seller }) => seller.vatIdentifier !== null || seller.taxRegistration !== null,
  ),
  ...categoryRules(
    ['K', 'G'],
    'seller.vatNumber',
    'The seller needs a VAT id.',
    ({ seller }) => seller.vatIdentifier !== null,
  ),
  ...categoryRules(
    ['AE', 'K'],
    'customer.vatNumber',
    'The buyer needs a VAT id.',
    ({ buyer }) => buyer.vatIdentifier !== null,
  ),
  rule(
    'BR-CL-04',
    'currency',
    'The currency is not in the list of EN 16931.',
    ({ currencyCode }) => !UNLISTED_CURRENCIES.has(currencyCode),
  ),
  rule('BR-16', 'lineItems', 'An e-invoice has at least one line.', ({ lines }) => lines.length > 0),
  rule(
    'BR-CO-18',
    'lineItems',
    'An e-invoice has a line with a tax category.',
    ({ vatBreakdowns }) => vatBreakdowns.length > 0,
  ),
  lineRule('BR-25', 'name', 'A line needs a name.', ({ itemName }) => itemName !== null),
  lineRule('BR-CO-04', 'taxCategory', 'A line needs a tax category.', ({ categoryCode }) => categoryCode !== null),
  where(
    ({ vatBreakdowns }) =>
      vatBreakdowns.some(({ categoryCode, exemptionReason }) => categoryCode === 'E' && exemptionReason === null),
    [
      lineRule(
        'BR-E-10',
        'taxExemptionReason',
        'An exempt line needs the reason why no tax is due.',
        ({ categoryCode }) => categoryCode !== 'E',
      ),
    ],
  ),
  where(
    (invoice) => has(invoice, 'O'),
    [
      rule('BR-O-02', 'seller.vatNumber', APART, ({ seller }) => seller.vatIdentifier === null),
      rule('BR-O-02', 'customer.vatNumber', APART, ({ buyer }) => buyer.vatIdentifier === null),
      rule('BR-O-11', 'taxes', APART, ({ vatBreakdowns }) => vatBreakdowns.length === 1),
      lineRule('BR-O-12', 'taxCategory', APART, ({ categoryCode }) => categoryCode === null || categoryCode === 'O'),
    ],
  ),
  rule(
    'BR-IC-11',
    'serviceTo',
    'An intra-community supply needs the day or the period in which it was made.',
    (invoice) => !has(invoice, 'K') || invoice.period !== null,
  ),
  ...['BR-57', 'BR-IC-12'].map((id) =>
    rule(
      id,
      'customer.countryCode',
      'An intra-community supply needs the country of delivery, which is that of the buyer.',
      ({ deliverTo }) => deliverTo?.countryCode !== null,
    ),
  ),
  sums,
  vatRule(
    'BR-CO-17',
    'taxRate',
    'The rule takes a rate below 0.5 percent for 0, with which there is no tax of 0.50 or more.',
    ({ taxAmount, rate }) => compareDecimals(rate, '0.5') >= 0 || compareDecimals(taxAmount, '0.5') < 0,
  ),
];

/** The rules tolerate less than 1.00 of tax. */
const LESS_THAN_ONE_MINOR = 99n;

/** A wrong sum is told once, since floats would mostly find it again. */
function sums(invoice: EInvoice, document: PrintedInvoice): readonly Finding[] {
  const wrong = EXACT_SUMS.flatMap((each) => each(invoice, document));
  return wrong.length > 0 ? wrong : FLOATING_POINT_RULES.flatMap((each) => each(invoice, document));
}

const EXACT_SUMS: readonly Rule[] = [
  rule(
    'BR-CO-10',
    'subtotal',
    'The net amounts of the lines have another sum.',
    ({ totals, lines }) => parseMinor(totals.lines) === sumOf(lines.map(({ netAmount }) => netAmount)),
  ),
  rule(
    'BR-CO-14',
    'taxTotal',
    'The amounts of tax have another sum.',
    ({ totals, vatBreakdowns }) => parseMinor(totals.vat) === sumOf(vatBreakdowns.map(({ taxAmount }) => taxAmount)),
  ),
  rule(
    'BR-CO-15',
    'total',
    'The total is not the subtotal and the tax together.',
    ({ totals }) => parseMinor(totals.withVat) === sumOf([totals.lines, totals.vat]),
  ),
  (invoice, document) => {
    const sumsMinor = sumsByRate(invoice.lines);
    const isSum = ({ taxableAmount, categoryCode, rate }: VatBreakdown) =>
      parseMinor(taxableAmount) === sumsMinor.get(`${categoryCode} ${rate}`);
    const idOf = ({ categoryCode }: VatBreakdown) => `${prefixOf(categoryCode)}-08`;
    return vatRule(idOf, 'base', 'The lines of this category and rate have another sum.', isSum)(invoice, document);
  },
  vatRule(
    'BR-CO-17',
    'amount',
    'The tax is not base times rate. That of invoices which are made with the taxRounding "rate" is.',
    ({ taxableAmount, taxAmount, rate }, { typeCode }) => {
      // Credit notes cancel the tax of their invoice to the cent, so that one of several may be some cents off.
      const toleranceMinor = typeCode === '381' ? LESS_THAN_ONE_MINOR : 0n;
      const offMinor = parseMinor(taxAmount) - percentageMinor(parseMinor(taxableAmount), rate);
      return isWithin(offMinor, toleranceMinor);
    },
  ),
];

function partyRules(path: 'seller' | 'customer', partyOf: (invoice: EInvoice) => Party, countryRule: string): Rule[] {
  return [
    rule(
      countryRule,
      `${path}.countryCode`,
      'The address needs a country.',
      (invoice) => partyOf(invoice).address.countryCode !== null,
    ),
    rule('BR-CL-14', `${path}.countryCode`, 'CII does not know this country.', (invoice) => {
      const { countryCode } = partyOf(invoice).address;
      return countryCode !== UNKNOWN_TO_CII || invoice.profile.syntax === 'ubl';
    }),
    rule('BR-CO-09', `${path}.vatNumber`, 'A VAT id begins with the code of its country, such as DE.', (invoice) => {
      const prefix = partyOf(invoice).vatIdentifier?.slice(0, 2);
      if (prefix === undefined) return true;
      return isVatPrefix(prefix) && (prefix !== UNKNOWN_TO_CII || invoice.profile.syntax === 'ubl');
    }),
    rule('BR-CL-25', `${path}.electronicAddress.scheme`, 'The scheme is not in the list EAS.', (invoice) =>
      isElectronicScheme(partyOf(invoice).electronicAddress?.scheme ?? 'EM'),
    ),
  ];
}

/** South Sudan is in the list of UBL alone. */
const UNKNOWN_TO_CII = 'SS';

/** Greece has EL, Northern Ireland XI, and Kosovo 1A. */
const OTHER_VAT_PREFIXES: ReadonlySet<string> = new Set(['EL', 'XI', '1A']);

function isVatPrefix(prefix: string): boolean {
  return OTHER_VAT_PREFIXES.has(prefix) || (prefix === prefix.toUpperCase() && isCountry(prefix));
}

/** Currencies of the runtime that CEN does not list, since most of them are no longer in use. */
const UNLISTED_CURRENCIES: ReadonlySet<string> = new Set('ANG BGN CUC HRK SLL STN ZWL'.split(' '));

/** `BR-S-02` and its like: what a line of the category demands of a party. */
function categoryRules(
  categories: readonly CategoryCode[],
  path: string,
  message: string,
  holds: (invoice: EInvoice) => boolean,
): Rule[] {
  return categories.map((category) =>
    rule(`${prefixOf(category)}-02`, path, message, (invoice) => !has(invoice, category) || holds(invoice)),
  );
}

function has({ vatBreakdowns }: EInvoice, category: CategoryCode): boolean {
  return vatBreakdowns.some(({ categoryCode }) => categoryCode === category);
}

function sumsByRate(lines: readonly Line[]): ReadonlyMap<string, bigint> {
  const sumsMinor = new Map<string, bigint>();
  for (const { categoryCode, rate, netAmount } of lines) {
    const key = `${categoryCode} ${rate ?? '0'}`;
    sumsMinor.set(key, (sumsMinor.get(key) ?? 0n) + parseMinor(netAmount));
  }
  return sumsMinor;
}

function sumOf(amounts: readonly Decimal[]): bigint {
  return sumMinor(amounts.map(parseMinor));
}
