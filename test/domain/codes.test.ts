import { describe, expect, it } from 'vitest';
import { isCountry } from '#shared/domain/country.ts';
import { isCurrency } from '#shared/domain/currency.ts';

describe('a code', () => {
  it('of a currency is taken in any case', () => {
    expect(['INR', 'inr', 'iNr'].map(isCurrency)).toEqual([true, true, true]);
  });

  it('of a country is one of the 249 of ISO 3166-1, in any case', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry);
    expect(codes).toHaveLength(249);
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    expect(codes.filter((code) => names.of(code) === undefined)).toEqual([]);
    expect(['de', 'Gb', 'US'].every(isCountry)).toBe(true);
    expect(['UK', 'EU', 'XX', 'ZZ', '', 'DEU'].some(isCountry)).toBe(false);
  });

  /** Each of these is a real code once it is in upper case. */
  it.each(['\u0131nr', 'u\u017fd'])('is no currency with the letter that only upper case makes ASCII: %s', (code) => {
    expect(isCurrency(code.toUpperCase())).toBe(true);
    expect(isCurrency(code)).toBe(false);
  });

  it.each(['\u0131n', 'u\u017f', '\ufb01'])('is no country with such a letter: %s', (code) => {
    expect(isCountry(code.toUpperCase())).toBe(true);
    expect(isCountry(code)).toBe(false);
  });
});
