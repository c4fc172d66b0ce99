import { type Decimal, divideHalfUp, fractionOf, parseMinor } from '#shared/domain/money.ts';
import { isWithin, prefixOf, type Rule, rule, vatRule, where } from './rule.ts';

const INEXACT = 'Validators compute this with binary floats, which do not hold all digits of so large an amount.';

/**
 * Those rules of EN 16931 that make binary floats of amounts, and so refuse some large ones that are right. No money is
 * computed here: the steps of the rules are repeated, in their order, to know what they will find.
 */
export const FLOATING_POINT_RULES: readonly Rule[] = [
  where(
    ({ profile }) => profile.syntax === 'cii',
    [
      rule(
        'BR-CO-10',
        'subtotal',
        INEXACT,
        ({ totals, lines }) =>
          roundedMinor(sumOf(lines.map(({ netAmount }) => netAmount))) === parseMinor(totals.lines),
      ),
      rule(
        'BR-CO-14',
        'taxTotal',
        INEXACT,
        ({ totals, vatBreakdowns }) =>
          Math.round(sumOf(vatBreakdowns.map(({ taxAmount }) => taxAmount)) * 10 * 10) / 100 === Number(totals.vat),
      ),
      rule(
        'BR-DEC-13',
        'taxTotal',
        INEXACT,
        ({ totals }) => Math.round(Number(totals.vat) * 100) / 100 === Number(totals.vat),
      ),
      vatRule(
        ({ categoryCode }) => `${prefixOf(categoryCode)}-08`,
        'base',
        INEXACT,
        ({ categoryCode, taxableAmount }) => {
          const base = Number(taxableAmount);
          return categoryCode === 'S' || categoryCode === 'O' || (base - 1 < base && base < base + 1);
        },
      ),
      vatRule('BR-S-09', 'amount', INEXACT, ({ categoryCode, taxableAmount, rate, taxAmount }) => {
        const taxMinor = roundedMinor(Math.round(Number(taxableAmount) * Number(rate)) / 100);
        return categoryCode !== 'S' || isWithin(taxMinor - parseMinor(taxAmount), LESS_THAN_ONE_MINOR);
      }),
    ],
  ),
  where(
    ({ profile }) => profile.syntax === 'ubl',
    [
      vatRule('BR-S-08', 'base', INEXACT, ({ categoryCode, taxableAmount }) => {
        const [base, baseMinor] = [Number(taxableAmount), parseMinor(taxableAmount)];
        return categoryCode !== 'S' || (roundedMinor(base - 1) < baseMinor && baseMinor < roundedMinor(base + 1));
      }),
    ],
  ),
];

/** The rules tolerate less than 1.00 of tax. */
export const LESS_THAN_ONE_MINOR = 99n;

/** In the order of the document, on which the result depends. */
function sumOf(amounts: readonly Decimal[]): number {
  return amounts.reduce((sum, amount) => sum + Number(amount), 0);
}

/** Rounds the shortest digits that make this float, to which SaxonJS converts it. */
function roundedMinor(float: number): bigint {
  const [digits = '', exponent] = float.toExponential().split('e');
  const { numerator, denominator } = fractionOf(digits);
  return divideHalfUp(numerator * 10n ** BigInt(Number(exponent) + 2), denominator);
}
