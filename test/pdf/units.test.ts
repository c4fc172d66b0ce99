import { describe, expect, it } from 'vitest';
import { LOCALES } from '#shared/domain/locale.ts';
import { unitWriter } from '#shared/pdf/units.ts';

describe('the unit of a line', () => {
  it.each([
    ['en', ['hour', 'hours', 'hours', 'hours'], ['piece', 'pieces', 'pieces', 'pieces']],
    ['de', ['Stunde', 'Stunden', 'Stunden', 'Stunden'], ['Stück', 'Stück', 'Stück', 'Stück']],
    ['fr', ['heure', 'heures', 'heures', 'heure'], ['pièce', 'pièces', 'pièces', 'pièce']],
    ['es', ['hora', 'horas', 'horas', 'horas'], ['pieza', 'piezas', 'piezas', 'piezas']],
    ['it', ['ora', 'ore', 'ore', 'ore'], ['pezzo', 'pezzi', 'pezzi', 'pezzi']],
    ['nl', ['uur', 'uur', 'uur', 'uur'], ['stuk', 'stuks', 'stuks', 'stuks']],
    ['pt', ['hora', 'horas', 'horas', 'hora'], ['peça', 'peças', 'peças', 'peça']],
    ['pl', ['godzina', 'godziny', 'godzin', 'godziny'], ['sztuka', 'sztuki', 'sztuk', 'sztuki']],
    ['sv', ['timme', 'timmar', 'timmar', 'timmar'], ['styck', 'styck', 'styck', 'styck']],
    ['da', ['time', 'timer', 'timer', 'time'], ['stykke', 'stykker', 'stykker', 'stykke']],
    ['ja', ['時間', '時間', '時間', '時間'], ['個', '個', '個', '個']],
  ] as const)('is in %s that of one, two, five, and one and a half', (locale, hours, pieces) => {
    const unit = unitWriter(locale);
    const forms = (name: string) => ['1', '2', '5', '1.5'].map((quantity) => unit(name, quantity));
    expect([forms('hour'), forms('piece')]).toEqual([hours, pieces]);
  });

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
      for (const name of ['day', 'week', 'month', 'year', 'minute', 'unit', 'project', 'license', 'kilogram']) {
        expect(unit(name, quantity)).toMatch(locale === 'en' ? new RegExp(`^${name}s?$`) : /^\p{L}/u);
      }
    }
  });

  it.each([
    ['de', 'Stunde', '2', 'Stunden'],
    ['de', 'Hours', '1', 'Stunde'],
    ['de', 'tag', '3', 'Tage'],
    ['pl', 'sztuka', '5', 'sztuk'],
    ['sv', 'day', '2', 'dagar'],
    ['en', 'hours', '1', 'hour'],
    ['en', 'hour', '1.0', 'hours'],
  ] as const)('is known by its words in %s and in English: %s', (locale, name, quantity, expected) => {
    expect(unitWriter(locale)(name, quantity)).toBe(expected);
  });

  it.each([
    ['en', 'projects', 'licenses'],
    ['de', 'Projekte', 'Lizenzen'],
    ['fr', 'projets', 'licences'],
    ['es', 'proyectos', 'licencias'],
    ['it', 'progetti', 'licenze'],
    ['nl', 'projecten', 'licenties'],
    ['pt', 'projetos', 'licenças'],
    ['pl', 'projektów', 'licencji'],
    ['sv', 'projekt', 'licenser'],
    ['da', 'projekter', 'licenser'],
    ['ja', '件', 'ライセンス'],
  ] as const)('may be a fee for a project, or for a license: in %s', (locale, projects, licenses) => {
    const unit = unitWriter(locale);
    expect([unit('project', '5'), unit('license', '5')]).toEqual([projects, licenses]);
  });

  it.each(['Std.', 'sprint', 'per seat', '', 'constructor'])('stays as it was written: %s', (name) => {
    for (const locale of LOCALES) expect(unitWriter(locale)(name, '2')).toBe(name);
  });
});
