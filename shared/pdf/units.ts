import type { Locale } from '#shared/domain/locale.ts';
import { memoized } from '#shared/runtime/memoized.ts';
import { LANGUAGES, type UnitWords } from './words/words.ts';

/**
 * Writes a unit for a quantity: `hour` is `hours` for two of them, and `Stunden` in German. A unit is known by any of
 * its words in English or in the language; all others stay as they were written.
 */
export function unitWriter(locale: Locale): (name: string, quantity: string) => string {
  const rulesOf = memoized((digits: number) => new Intl.PluralRules(locale, { minimumFractionDigits: digits }));
  const wordsOf = memoized((name: string): UnitWords => {
    const known = unitsByWord(locale).get(folded(name, locale)) ?? unitsByWord('en').get(folded(name, 'en'));
    return unitsOf(locale).get(known ?? '') ?? { other: name };
  });
  return (name, quantity) => {
    if (name === '') return name;
    const words = wordsOf(name);
    const category = rulesOf(quantity.split('.')[1]?.length ?? 0).select(Number(quantity));
    return words[category] ?? words.other ?? name;
  };
}

/** They have every plural category of every language. */
const SAMPLES = [1, 2, 5, 1.5, 1_000_000];

const unitsOf = memoized((locale: Locale): ReadonlyMap<string, UnitWords> => {
  const rules = new Intl.PluralRules(locale);
  const wordsOf = (unit: string) => {
    const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
    const wordFor = (sample: number) => format.formatToParts(sample).find(({ type }) => type === 'unit')?.value ?? unit;
    return Object.fromEntries(SAMPLES.map((sample) => [rules.select(sample), wordFor(sample)]));
  };
  const known = Intl.supportedValuesOf('unit').map((unit) => [unit, wordsOf(unit)] as const);
  return new Map([...known, ...Object.entries(LANGUAGES[locale].units)]);
});

const unitsByWord = memoized((locale: Locale): ReadonlyMap<string, string> => {
  const named = ([unit, words]: readonly [string, UnitWords]) =>
    Object.values(words).map((word) => [folded(word, locale), unit] as const);
  return new Map([...unitsOf(locale)].flatMap(named));
});

const folded = (word: string, locale: Locale) => word.toLocaleLowerCase(locale);
