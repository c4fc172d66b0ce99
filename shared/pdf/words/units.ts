import type { Locale } from '#shared/domain/locale.ts';

/** The words for one unit by the plural category of the quantity; without one of a category, `other` holds. */
export type UnitWords = Readonly<Record<string, string>>;

/** What `Intl` has no word for; and the Swedish day of work, as its `dygn` is a day and a night. */
export const OWN_UNITS: Readonly<Record<Locale, Readonly<Record<string, UnitWords>>>> = {
  en: { piece: { one: 'piece', other: 'pieces' }, unit: { one: 'unit', other: 'units' } },
  de: { piece: { other: 'Stück' }, unit: { one: 'Einheit', other: 'Einheiten' } },
  fr: { piece: { one: 'pièce', other: 'pièces' }, unit: { one: 'unité', other: 'unités' } },
  es: { piece: { one: 'pieza', other: 'piezas' }, unit: { one: 'unidad', other: 'unidades' } },
  it: { piece: { one: 'pezzo', other: 'pezzi' }, unit: { other: 'unità' } },
  nl: { piece: { one: 'stuk', other: 'stuks' }, unit: { one: 'eenheid', other: 'eenheden' } },
  pt: { piece: { one: 'peça', other: 'peças' }, unit: { one: 'unidade', other: 'unidades' } },
  pl: {
    piece: { one: 'sztuka', few: 'sztuki', many: 'sztuk', other: 'sztuki' },
    unit: { one: 'jednostka', few: 'jednostki', many: 'jednostek', other: 'jednostki' },
  },
  sv: {
    day: { one: 'dag', other: 'dagar' },
    piece: { other: 'styck' },
    unit: { one: 'enhet', other: 'enheter' },
  },
  da: { piece: { one: 'stykke', other: 'stykker' }, unit: { one: 'enhed', other: 'enheder' } },
  ja: { piece: { other: '個' }, unit: { other: '個' } },
};
