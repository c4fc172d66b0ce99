import type { Locale } from '#shared/domain/locale.ts';

/** The words for one unit by the plural category of the quantity; without one of a category, `other` holds. */
export type UnitWords = Readonly<Record<string, string>>;

/** What `Intl` has no word for; and the Swedish day of work, as its `dygn` is a day and a night. */
export const OWN_UNITS: Readonly<Record<Locale, Readonly<Record<string, UnitWords>>>> = {
  en: {
    piece: { one: 'piece', other: 'pieces' },
    unit: { one: 'unit', other: 'units' },
    project: { one: 'project', other: 'projects' },
    license: { one: 'license', other: 'licenses' },
  },
  de: {
    piece: { other: 'Stück' },
    unit: { one: 'Einheit', other: 'Einheiten' },
    project: { one: 'Projekt', other: 'Projekte' },
    license: { one: 'Lizenz', other: 'Lizenzen' },
  },
  fr: {
    piece: { one: 'pièce', other: 'pièces' },
    unit: { one: 'unité', other: 'unités' },
    project: { one: 'projet', other: 'projets' },
    license: { one: 'licence', other: 'licences' },
  },
  es: {
    piece: { one: 'pieza', other: 'piezas' },
    unit: { one: 'unidad', other: 'unidades' },
    project: { one: 'proyecto', other: 'proyectos' },
    license: { one: 'licencia', other: 'licencias' },
  },
  it: {
    piece: { one: 'pezzo', other: 'pezzi' },
    unit: { other: 'unità' },
    project: { one: 'progetto', other: 'progetti' },
    license: { one: 'licenza', other: 'licenze' },
  },
  nl: {
    piece: { one: 'stuk', other: 'stuks' },
    unit: { one: 'eenheid', other: 'eenheden' },
    project: { one: 'project', other: 'projecten' },
    license: { one: 'licentie', other: 'licenties' },
  },
  pt: {
    piece: { one: 'peça', other: 'peças' },
    unit: { one: 'unidade', other: 'unidades' },
    project: { one: 'projeto', other: 'projetos' },
    license: { one: 'licença', other: 'licenças' },
  },
  pl: {
    piece: { one: 'sztuka', few: 'sztuki', many: 'sztuk', other: 'sztuki' },
    unit: { one: 'jednostka', few: 'jednostki', many: 'jednostek', other: 'jednostki' },
    project: { one: 'projekt', few: 'projekty', many: 'projektów', other: 'projektu' },
    license: { one: 'licencja', few: 'licencje', many: 'licencji', other: 'licencji' },
  },
  sv: {
    day: { one: 'dag', other: 'dagar' },
    piece: { other: 'styck' },
    unit: { one: 'enhet', other: 'enheter' },
    project: { other: 'projekt' },
    license: { one: 'licens', other: 'licenser' },
  },
  da: {
    piece: { one: 'stykke', other: 'stykker' },
    unit: { one: 'enhed', other: 'enheder' },
    project: { one: 'projekt', other: 'projekter' },
    license: { one: 'licens', other: 'licenser' },
  },
  ja: { piece: { other: '個' }, unit: { other: '個' }, project: { other: '件' }, license: { other: 'ライセンス' } },
};
