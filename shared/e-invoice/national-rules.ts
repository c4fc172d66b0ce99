import { isDanishNumber, isNorwegianNumber, isSwedishNumber } from './check-digits.ts';
import { germanRules } from './german-rules.ts';
import type { Address, EInvoice } from './model.ts';
import { type Rule, rule, vatRule, where } from './rule.ts';

/** Rules of Peppol by the country of the seller, and of the buyer too for some. */

const isSellerIn = (country: string) => (invoice: EInvoice) => invoice.seller.address.countryCode === country;

const areBothIn = (country: string) => (invoice: EInvoice) =>
  isSellerIn(country)(invoice) && invoice.buyer.address.countryCode === country;

/** A VAT id tells it before the address does. */
const isSellerOf =
  (...countries: readonly string[]) =>
  ({ seller }: EInvoice) =>
    countries.includes((seller.vatIdentifier?.slice(0, 2) ?? seller.address.countryCode ?? '').toUpperCase());

/** One rule for all the parts that are missing. */
function addressRules(
  id: string,
  path: 'seller' | 'customer',
  addressOf: (invoice: EInvoice) => Address,
  parts: readonly (keyof typeof MEMBERS)[],
): Rule[] {
  return parts.map((part) =>
    rule(id, `${path}.${MEMBERS[part]}`, 'The address lacks this.', (invoice) => addressOf(invoice)[part] !== null),
  );
}

const MEMBERS = { line1: 'addressLine1', city: 'city', postCode: 'postalCode' } as const;

const sellerAddress = ({ seller }: EInvoice): Address => seller.address;
const buyerAddress = ({ buyer }: EInvoice): Address => buyer.address;

const registrationOf = ({ seller }: EInvoice): string => seller.legalRegistration?.id ?? '';

const hasRegistration = ({ seller }: EInvoice): boolean => seller.legalRegistration !== null;

const DENMARK = where(isSellerIn('DK'), [
  rule('DK-R-002', 'seller.registrationNumber', 'A Danish seller needs its CVR number.', hasRegistration),
  rule(
    'PEPPOL-COMMON-R042',
    'seller.registrationNumber',
    'This is no Danish CVR number.',
    (invoice) => !hasRegistration(invoice) || isDanishNumber(registrationOf(invoice)),
  ),
]);

const GERMANY = where(
  areBothIn('DE'),
  germanRules((number) => `DE-R-${String(number).padStart(3, '0')}`),
);

const GREECE = where(isSellerOf('GR', 'EL'), [
  rule(
    'GR-R-001-1',
    'number',
    'Greek invoices have numbers of six parts, which Billwright does not give.',
    () => false,
  ),
]);

const ICELAND = where(isSellerIn('IS'), [
  rule('IS-R-002', 'seller.registrationNumber', 'An Icelandic seller needs its kennitala.', hasRegistration),
  ...addressRules('IS-R-003', 'seller', sellerAddress, ['line1', 'postCode']),
  where(areBothIn('IS'), [
    rule('IS-R-004', 'customer', 'Icelandic buyers need a kennitala, for which Billwright has no member.', () => false),
    ...addressRules('IS-R-005', 'customer', buyerAddress, ['line1', 'postCode']),
  ]),
]);

const ITALY = where(isSellerOf('IT'), [
  rule(
    'IT-R-001',
    'seller.taxNumber',
    'An Italian tax number has 11 to 16 digits and upper-case letters.',
    ({ seller }) => seller.taxRegistration === null || /^[A-Z0-9]{11,16}$/.test(seller.taxRegistration),
  ),
  ...addressRules('IT-R-002', 'seller', sellerAddress, ['line1']),
  ...addressRules('IT-R-003', 'seller', sellerAddress, ['city']),
  ...addressRules('IT-R-004', 'seller', sellerAddress, ['postCode']),
]);

const NETHERLANDS = where(isSellerIn('NL'), [
  ...addressRules('NL-R-002', 'seller', sellerAddress, ['line1', 'city', 'postCode']),
  where(areBothIn('NL'), [
    ...addressRules('NL-R-004', 'customer', buyerAddress, ['line1', 'city', 'postCode']),
    rule('NL-R-008', 'seller.iban', 'A Dutch seller needs an IBAN.', ({ payment }) => payment.account !== null),
  ]),
]);

const NORWAY = where(isSellerOf('NO'), [
  rule(
    'NO-R-001',
    'seller.vatNumber',
    'A Norwegian VAT id is NO, the organization number and MVA.',
    ({ seller: { vatIdentifier } }) =>
      vatIdentifier === null ||
      !vatIdentifier.startsWith('NO') ||
      (/^NO\d{9}MVA$/.test(vatIdentifier) && isNorwegianNumber(vatIdentifier.slice(2, -3))),
  ),
]);

const SWEDISH_RATES: ReadonlySet<string> = new Set(['6', '12', '25']);

const SWEDEN = where(isSellerIn('SE'), [
  where(
    ({ seller }) => seller.vatIdentifier?.startsWith('SE') === true,
    [
      rule(
        'SE-R-001',
        'seller.vatNumber',
        'A Swedish VAT id has 14 characters.',
        ({ seller }) => seller.vatIdentifier?.length === 14,
      ),
      rule('SE-R-002', 'seller.vatNumber', 'A Swedish VAT id has 12 digits behind SE.', ({ seller }) =>
        /^SE\d{12}/.test(seller.vatIdentifier ?? ''),
      ),
      vatRule(
        'SE-R-006',
        'taxRate',
        'The rates of tax in Sweden are 6, 12 and 25.',
        ({ categoryCode, rate }) => categoryCode !== 'S' || SWEDISH_RATES.has(rate),
      ),
    ],
  ),
  where(hasRegistration, [
    rule('SE-R-003', 'seller.registrationNumber', 'A Swedish organization number has digits alone.', (invoice) =>
      /^\d+$/.test(registrationOf(invoice)),
    ),
    rule(
      'SE-R-004',
      'seller.registrationNumber',
      'A Swedish organization number has 10 digits.',
      (invoice) => registrationOf(invoice).length === 10,
    ),
    rule('SE-R-013', 'seller.registrationNumber', 'The check digit of this organization number is wrong.', (invoice) =>
      isSwedishNumber(registrationOf(invoice)),
    ),
    rule(
      'SE-R-005',
      'seller.taxNumber',
      'The tax number of a Swedish seller is "Godkänd för F-skatt".',
      ({ seller: { taxRegistration } }) =>
        taxRegistration === null || taxRegistration.toUpperCase() === 'GODKÄND FÖR F-SKATT',
    ),
  ]),
]);

export const NATIONAL_RULES: readonly Rule[] = [DENMARK, GERMANY, GREECE, ICELAND, ITALY, NETHERLANDS, NORWAY, SWEDEN];
