import { fractionOf, parseMinor, percentageMinor } from '#shared/domain/money.ts';
import {
  isAustralianNumber,
  isBelgianNumber,
  isDanishNumber,
  isGln,
  isNorwegianNumber,
  isSwedishNumber,
} from './check-digits.ts';
import type { EInvoice, Identifier, Line } from './model.ts';
import { isWithin, lineRule, type Rule, rule } from './rule.ts';

/** Rules of Peppol that XRechnung has taken over. */
export const SHARED_RULES: readonly Rule[] = [
  rule(
    'PEPPOL-EN16931-R010',
    'customer.electronicAddress',
    'The buyer needs an electronic address.',
    ({ buyer }) => buyer.electronicAddress !== null,
  ),
  rule(
    'PEPPOL-EN16931-R020',
    'seller.electronicAddress',
    'The seller needs an electronic address.',
    ({ seller }) => seller.electronicAddress !== null,
  ),
  lineRule(
    'PEPPOL-EN16931-R040',
    'discount',
    'The discount is not its percentage of the amount.',
    ({ allowance }) => allowance === null || isDiscount(allowance),
  ),
  lineRule(
    'PEPPOL-EN16931-R110',
    'serviceFrom',
    'The period of a line begins within that of the invoice.',
    ({ period }, invoice) => !period?.start || !invoice.period?.start || period.start >= invoice.period.start,
  ),
  lineRule(
    'PEPPOL-EN16931-R111',
    'serviceTo',
    'The period of a line ends within that of the invoice.',
    ({ period }, invoice) => !period?.end || !invoice.period?.end || period.end <= invoice.period.end,
  ),
];

const TOLERANCE_MINOR = 2n;

function isDiscount({ amount, baseAmount, percentage }: NonNullable<Line['allowance']>): boolean {
  const offMinor = parseMinor(amount) - percentageMinor(parseMinor(baseAmount), percentage);
  return isWithin(offMinor, TOLERANCE_MINOR);
}

const MINOR_UNITS = 100n;

/** Compares whole numbers, with both sides multiplied by the denominator of quantity x price / base quantity. */
function isPriced({ quantity, price, baseQuantity, netAmount, allowance }: Line): boolean {
  const [many, each, base] = [fractionOf(quantity), fractionOf(price), fractionOf(baseQuantity ?? '1')];
  const numerator = many.numerator * each.numerator * base.denominator;
  const denominator = many.denominator * each.denominator * base.numerator;
  const beforeMinor = parseMinor(netAmount) + parseMinor(allowance?.amount ?? '0');
  const off = beforeMinor * denominator - MINOR_UNITS * numerator;
  return isWithin(off, TOLERANCE_MINOR * denominator);
}

/** Schemes of the list EAS that Peppol leaves out. */
const UNLISTED_SCHEMES: ReadonlySet<string> = new Set('0219 0220 0242 0244 0245 0246 0248 EM'.split(' '));

interface IdFormat {
  readonly id: string;
  readonly name: string;
  readonly isValid: (text: string) => boolean;
}

/** By scheme. */
const FORMATS: Readonly<Record<string, IdFormat>> = {
  '0088': { id: 'PEPPOL-COMMON-R040', name: 'Global Location Number', isValid: isGln },
  '0192': { id: 'PEPPOL-COMMON-R041', name: 'Norwegian organization number', isValid: isNorwegianNumber },
  '0184': { id: 'PEPPOL-COMMON-R042', name: 'Danish CVR number', isValid: isDanishNumber },
  '0208': { id: 'PEPPOL-COMMON-R043', name: 'Belgian enterprise number', isValid: isBelgianNumber },
  '0007': { id: 'PEPPOL-COMMON-R049', name: 'Swedish organization number', isValid: isSwedishNumber },
  '0151': { id: 'PEPPOL-COMMON-R050', name: 'Australian Business Number', isValid: isAustralianNumber },
};

/** The fatal rules of Peppol that our data can break, without the national ones. */
export const PEPPOL_RULES: readonly Rule[] = [
  ...SHARED_RULES,
  lineRule('PEPPOL-EN16931-R120', 'amount', 'The amount is not quantity times price, less the discount.', isPriced),
  rule(
    'PEPPOL-EN16931-R003',
    'customer.buyerReference',
    'The buyer needs a reference, or the invoice a purchase order.',
    ({ buyerReference, purchaseOrderReference }) => buyerReference !== null || purchaseOrderReference !== null,
  ),
  rule(
    'BR-CO-25',
    'dueDate',
    'An invoice with an amount to pay needs the day by which it is due.',
    ({ totals, dueDate, paymentTerms }) =>
      parseMinor(totals.withVat) === 0n || dueDate !== null || paymentTerms !== null,
  ),
  // Peppol repeats the rules of CEN with an older list.
  rule(
    'BR-CL-04',
    'currency',
    'The currency is not in the list of Peppol.',
    ({ currencyCode }) => currencyCode !== 'MRU' && currencyCode !== 'XCG',
  ),
  ...electronicAddressRules('seller', ({ seller }) => seller.electronicAddress),
  ...electronicAddressRules('customer', ({ buyer }) => buyer.electronicAddress),
];

function electronicAddressRules(
  path: 'seller' | 'customer',
  addressOf: (invoice: EInvoice) => Identifier | null,
): Rule[] {
  const formats = Object.entries(FORMATS).map(([scheme, { id, name, isValid }]) =>
    rule(id, `${path}.electronicAddress.id`, `This is no ${name}.`, (invoice) => {
      const address = addressOf(invoice);
      return address?.scheme !== scheme || isValid(address.id);
    }),
  );
  const isListed = (invoice: EInvoice) => !UNLISTED_SCHEMES.has(addressOf(invoice)?.scheme ?? '');
  const schemePath = `${path}.electronicAddress.scheme`;
  return [rule('PEPPOL-EN16931-CL008', schemePath, 'Peppol does not know this scheme.', isListed), ...formats];
}
