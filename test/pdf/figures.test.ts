import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grouped, percentFigure, priceFigure, writtenDate } from '#shared/pdf/figures.ts';

const whole = fc.bigInt({ min: 0n, max: 10n ** 27n }).map(String);
const decimal = fc.oneof(
  whole,
  fc.tuple(whole, fc.stringMatching(/^\d{1,6}$/)).map(([ones, digits]) => `${ones}.${digits}`),
);

describe('figures of an invoice', () => {
  it('keep every digit, in groups of three before the point', () => {
    fc.assert(
      fc.property(decimal, (value) => {
        expect(grouped(value).replaceAll(',', '')).toBe(value);
        expect(grouped(value)).toMatch(/^\d{1,3}(,\d{3})*(\.\d+)?$/);
      }),
    );
  });

  it.each([
    ['19.9', 'USD', '19.90'],
    ['120', 'EUR', '120.00'],
    ['0.0045', 'EUR', '0.0045'],
    ['1234', 'JPY', '1,234'],
    ['0.5', 'JPY', '0.5'],
    ['10', 'BHD', '10.000'],
  ])('give a price of %s %s at least the digits of its currency: %s', (price, currency, expected) => {
    expect(priceFigure(price, currency)).toBe(expected);
  });

  it.each([
    ['19', '19%'],
    ['7.50', '7.5%'],
    ['0', '0%'],
  ])('give a rate of %s as %s', (rate, expected) => {
    expect(percentFigure(rate)).toBe(expected);
  });

  it('name the month', () => {
    expect([writtenDate('2026-01-01'), writtenDate('2028-02-29'), writtenDate('2026-12-31')]).toEqual([
      '1 January 2026',
      '29 February 2028',
      '31 December 2026',
    ]);
  });
});
