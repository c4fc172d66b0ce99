import { describe, expect, it } from 'vitest';
import { isCountry } from '#shared/domain/country.ts';
import { isCurrency } from '#shared/domain/currency.ts';

describe('a code', () => {
  it('is taken in any case', () => {
    expect(['INR', 'inr', 'iNr'].map(isCurrency)).toEqual([true, true, true]);
    expect(['IN', 'in', 'iN'].map(isCountry)).toEqual([true, true, true]);
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
