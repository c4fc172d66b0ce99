import { describe, expect, it } from 'vitest';
import { LOCALES } from '#shared/domain/locale.ts';
import { unitWriter } from '#shared/pdf/units.ts';

describe('the unit of a line', () => {
  it.each(LOCALES)('has a form of its own for every plural of %s', (locale) => {
    const unit = unitWriter(locale);
    const rules = new Intl.PluralRules(locale);
    const quantities = ['0', '0.25', '1', '1.5', '2', '5', '12', '22', '1000000'];
    expect(new Set(quantities.map((quantity) => rules.select(Number(quantity))))).toEqual(
      new Set(rules.resolvedOptions().pluralCategories),
    );
    for (const quantity of quantities) {
      const hours = new Intl.NumberFormat(locale, { style: 'unit', unit: 'hour', unitDisplay: 'long' });
      expect(hours.format(Number(quantity))).toContain(unit('hour', quantity));
      for (const name of ['day', 'week', 'month', 'year', 'minute', 'piece', 'unit', 'project', 'license']) {
        expect(unit(name, quantity)).toMatch(locale === 'en' ? new RegExp(`^${name}s?$`) : /^\p{L}/u);
      }
    }
  });

  it.each([
    ['de', 'Stunde', '2', 'Stunden'],
    ['de', 'Hours', '1', 'Stunde'],
    ['pl', 'sztuka', '5', 'sztuk'],
    ['pl', 'piece', '2', 'sztuki'],
    ['fr', 'piece', '1.5', 'pièce'],
    ['en', 'hours', '1', 'hour'],
    ['en', 'hour', '1.0', 'hours'],
  ] as const)('is known by its words in %s and in English: %s', (locale, name, quantity, expected) => {
    expect(unitWriter(locale)(name, quantity)).toBe(expected);
  });

  it.each(['Std.', 'sprint', 'per seat', '', 'constructor'])('stays as it was written: %s', (name) => {
    for (const locale of LOCALES) expect(unitWriter(locale)(name, '2')).toBe(name);
  });
});
