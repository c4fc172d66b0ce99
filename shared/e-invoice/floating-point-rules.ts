import { type Decimal, divideHalfUp, fractionOf, parseMinor } from '#shared/domain/money.ts';
import { type Rule, rule, where } from './rule.ts';

const INEXACT = 'Validators compute this with binary floats, which do not hold all digits of so large an amount.';

/**
 * Those rules of EN 16931 that make binary floats of amounts, and so refuse some large ones that are right. No money is
 * computed here: the steps of the rules are repeated, in their order, to know what they will find. Those that tolerate
 * less than 1.00 find nothing: of a total, which has 15 digits before the point, floats hold more.
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
    ],
  ),
];

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
