import type { Locale } from '#shared/domain/locale.ts';
import type { TaxCategory } from '#shared/domain/tax.ts';

type Untaxed = Exclude<TaxCategory, 'standard'>;

/** They tell apart taxes of one rate, which only categories without a tax can share. */
export const CATEGORY_WORDS: Readonly<Record<Locale, Readonly<Record<Untaxed, string>>>> = {
  en: {
    zero: 'zero rate',
    exempt: 'exempt',
    reverse_charge: 'reverse charge',
    intra_community: 'intra-Community',
    export: 'export',
    outside_scope: 'outside the scope',
  },
  de: {
    zero: 'Nullsatz',
    exempt: 'steuerbefreit',
    reverse_charge: 'Reverse Charge',
    intra_community: 'innergemeinschaftlich',
    export: 'Ausfuhr',
    outside_scope: 'nicht steuerbar',
  },
  fr: {
    zero: 'taux zéro',
    exempt: 'exonéré',
    reverse_charge: 'autoliquidation',
    intra_community: 'intracommunautaire',
    export: 'exportation',
    outside_scope: 'hors champ',
  },
  es: {
    zero: 'tipo cero',
    exempt: 'exento',
    reverse_charge: 'inversión del sujeto pasivo',
    intra_community: 'intracomunitario',
    export: 'exportación',
    outside_scope: 'no sujeto',
  },
  it: {
    zero: 'aliquota zero',
    exempt: 'esente',
    reverse_charge: 'inversione contabile',
    intra_community: 'intracomunitario',
    export: 'esportazione',
    outside_scope: 'fuori campo',
  },
  nl: {
    zero: 'nultarief',
    exempt: 'vrijgesteld',
    reverse_charge: 'verlegd',
    intra_community: 'intracommunautair',
    export: 'uitvoer',
    outside_scope: 'niet belastbaar',
  },
  pt: {
    zero: 'taxa zero',
    exempt: 'isento',
    reverse_charge: 'autoliquidação',
    intra_community: 'intracomunitário',
    export: 'exportação',
    outside_scope: 'não sujeito',
  },
  pl: {
    zero: 'stawka zerowa',
    exempt: 'zwolnione',
    reverse_charge: 'odwrotne obciążenie',
    intra_community: 'wewnątrzwspólnotowe',
    export: 'eksport',
    outside_scope: 'nie podlega',
  },
  sv: {
    zero: 'nollsats',
    exempt: 'undantaget',
    reverse_charge: 'omvänd betalningsskyldighet',
    intra_community: 'unionsinternt',
    export: 'export',
    outside_scope: 'ej momspliktigt',
  },
  da: {
    zero: 'nulsats',
    exempt: 'fritaget',
    reverse_charge: 'omvendt betalingspligt',
    intra_community: 'EU-handel',
    export: 'eksport',
    outside_scope: 'ikke momspligtigt',
  },
  ja: {
    zero: 'ゼロ税率',
    exempt: '非課税',
    reverse_charge: 'リバースチャージ',
    intra_community: 'EU域内',
    export: '輸出免税',
    outside_scope: '不課税',
  },
};
