import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decimalFromNumber,
  decimalOf,
  differenceOf,
  formatMinor,
  fractionOf,
  MILLION,
  minorDigits,
  sumOfDecimals,
  workAmountMinor,
} from '#shared/domain/money.ts';

describe('money', () => {
  it.each([
    [1, '0.3', 'USD', 1n],
    [1, '0.29', 'USD', 0n],
    [525_600, '999999999999.999999', 'USD', 875_999_999_999_999_999n],
  ])('%i minutes at %s %s amount to %i', (minutes, rate, currency, expected) => {
    expect(workAmountMinor(minutes, rate, currency)).toBe(expected);
  });

  it('is never further than half a minor unit from the exact amount, and rounds the half up', () => {
    const rate = fc
      .tuple(fc.nat({ max: 999_999 }), fc.nat({ max: 999_999 }))
      .map(([whole, part]) => `${whole}.${String(part).padStart(6, '0')}`);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 525_600 }),
        rate,
        fc.constantFrom('USD', 'JPY', 'BHD'),
        (minutes, decimal, currency) => {
          const rounded = workAmountMinor(minutes, decimal, currency);
          const { numerator, denominator } = fractionOf(decimal);
          const exact = BigInt(minutes) * numerator * 10n ** BigInt(minorDigits(currency));
          const unit = 60n * denominator;
          const twiceError = 2n * (rounded * unit - exact);
          return twiceError > -unit && twiceError <= unit;
        },
      ),
    );
  });

  it.each([
    [0n, 'USD', '0.00'],
    [5n, 'USD', '0.05'],
    [5n, 'JPY', '5'],
    [1_234n, 'BHD', '1.234'],
    [123_456_789_012_345_678_901n, 'USD', '1234567890123456789.01'],
    [-5n, 'USD', '-0.05'],
    [-5n, 'JPY', '-5'],
  ])('prints %i of %s as %s', (minor, currency, expected) => {
    expect(formatMinor(minor, currency)).toBe(expected);
  });

  it('has decimals of six digits after the point, which add up', () => {
    expect([1n, MILLION / 3n, MILLION, 12n * MILLION + 500_000n].map(decimalOf)).toEqual([
      '0.000001',
      '0.333333',
      '1',
      '12.5',
    ]);
    expect(sumOfDecimals('1.5', '0.750001')).toBe('2.250001');
    expect(differenceOf('2.25', '0.250001')).toBe('1.999999');
  });

  it('reads a JSON number as what was typed', () => {
    expect([0.1, 1.005, 120, 0, 19.9].map(decimalFromNumber)).toEqual(['0.1', '1.005', '120', '0', '19.9']);
  });
});
