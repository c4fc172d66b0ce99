import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOCALES, type Locale } from '#shared/domain/locale.ts';
import { createFigures } from '#shared/pdf/figures.ts';

const whole = fc.bigInt({ min: 0n, max: 10n ** 27n }).map(String);
const decimal = fc.oneof(
  whole,
  fc.tuple(whole, fc.stringMatching(/^\d{1,6}$/)).map(([ones, digits]) => `${ones}.${digits}`),
);

const of = (locale: Locale, currency = 'EUR') => createFigures(locale, currency);

/** No-break spaces of any width look like a space. */
const seen = (figure: string) => figure.replaceAll(/\s/g, ' ');

describe('figures of an invoice', () => {
  it.each(LOCALES)('keep every digit in %s, in groups of three before the point', (locale) => {
    const figures = of(locale);
    fc.assert(
      fc.property(decimal, (value) => {
        const figure = figures.number(value);
        expect(figure.replaceAll(/\D/g, '')).toBe(value.replace('.', ''));
        expect(figure).toMatch(/^\d{1,3}([^\d]\d{3})*([.,]\d+)?$/);
        expect(figures.fractionOf(figure).slice(1)).toBe(value.split('.')[1] ?? '');
      }),
    );
  });

  it.each([
    ['19.9', 'USD', '$19.90'],
    ['0.0045', 'EUR', '€0.0045'],
    ['1234', 'JPY', '¥1,234'],
    ['10', 'BHD', '10.000'],
    ['123456789012.123456', 'EUR', '€123,456,789,012.123456'],
  ])('give a price of %s %s at least the digits of its currency: %s', (price, currency, expected) => {
    expect(of('en', currency).money(price)).toBe(expected);
  });

  it.each([
    ['de', '1.234,50', '-9.876,00', '1.234,50 €', '19,5 %', '1. Januar 2026'],
    ['fr', '1 234,50', '-9 876,00', '1 234,50 €', '19,5 %', '1 janvier 2026'],
    ['pl', '1 234,50', '-9 876,00', '1 234,50 €', '19,5%', '1 stycznia 2026'],
    ['sv', '1 234,50', '−9 876,00', '1 234,50 €', '19,5 %', '1 januari 2026'],
    ['ja', '1,234.50', '-9,876.00', '€1,234.50', '19.5%', '2026年1月1日'],
  ] as const)('are those of the language: %s', (locale, number, negative, money, percent, date) => {
    const figures = of(locale);
    const all = [
      figures.number('1234.50'),
      figures.number('-9876.00'),
      figures.money('1234.50'),
      figures.percent('19.5'),
      figures.date('2026-01-01'),
    ];
    expect(all.map(seen)).toEqual([number, negative, money, percent, date]);
  });

  it.each([
    ['fr', 'USD', '8 995,28 $US', '8 995,28 $US'],
    ['pl', 'USD', '8 995,28', '8 995,28 USD'],
    ['da', 'DKK', '8.995,28 kr.', '8.995,28 kr.'],
  ] as const)('carry in %s the sign of %s if there is one, else the code where they stand alone', (...row) => {
    const [locale, currency, inColumn, alone] = row;
    const figures = of(locale, currency);
    expect([figures.money('8995.28'), figures.moneyAlone('8995.28')].map(seen)).toEqual([inColumn, alone]);
  });

  it.each([
    ['de', 'JPY', '1234', ' ¥'],
    ['de', 'EUR', '1234.50', ',50 €'],
    ['en', 'USD', '1234.50', '.50'],
    ['da', 'DKK', '1234.50', ',50 kr.'],
  ] as const)('end in %s and %s with what stands behind the ones', (locale, currency, amount, expected) => {
    const figures = of(locale, currency);
    expect(seen(figures.fractionOf(figures.money(amount)))).toBe(expected);
  });
});
