import type { Locale } from '#shared/domain/locale.ts';
import type { TaxCategory } from '#shared/domain/tax.ts';
import type { CategoryCode } from './model.ts';
import type { Usage } from './profiles.ts';

const CORE = 'urn:cen.eu:en16931:2017';

export const SPECIFICATIONS: Readonly<Record<Usage, string>> = {
  core: CORE,
  xrechnung: `${CORE}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`,
  peppol: `${CORE}#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0`,
};

/** XRechnung takes the one of Peppol. */
export const BUSINESS_PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';

/** UNTDID 5305. */
export const CATEGORY_CODES: Readonly<Record<TaxCategory, CategoryCode>> = {
  standard: 'S',
  zero: 'Z',
  exempt: 'E',
  reverse_charge: 'AE',
  intra_community: 'K',
  export: 'G',
  outside_scope: 'O',
};

/** The list VATEX. An exempt line has a reason in words instead. */
export const EXEMPTION_CODES: Readonly<Partial<Record<TaxCategory, string>>> = {
  reverse_charge: 'VATEX-EU-AE',
  intra_community: 'VATEX-EU-IC',
  export: 'VATEX-EU-G',
  outside_scope: 'VATEX-EU-O',
};

/** UN/ECE Recommendation 20. */
const UNIT_CODES: ReadonlyMap<string, string> = new Map([
  ['hour', 'HUR'],
  ['day', 'DAY'],
  ['month', 'MON'],
]);

const ONE_CODE = 'C62';

export const MINUTE_CODE = 'MIN';

export function unitCode(unit: string): string {
  return UNIT_CODES.get(unit) ?? ONE_CODE;
}

/** UNTDID 5189. */
export const DISCOUNT_CODE = '95';

/** UNTDID 4451. */
export const GENERAL_NOTE_CODE = 'AAI';

const LENGTH_OF_OIN = 20;

/** The register of companies (ISO 6523) that the national rules of Peppol want to be named. */
export function registrationScheme(countryCode: string | null, number: string | null): string | null {
  switch (countryCode) {
    case 'DK':
      return '0184';
    case 'IS':
      return '0196';
    case 'NL':
      return number?.length === LENGTH_OF_OIN ? '0190' : '0106';
    default:
      return null;
  }
}

/** Peppol wants terms of payment for every amount due, and the total of a credit note counts as one (BR-CO-25). */
export const NOTHING_TO_PAY: Readonly<Record<Locale, string>> = {
  en: 'Nothing is to be paid: the amount is credited.',
  de: 'Es ist nichts zu zahlen: Der Betrag wird gutgeschrieben.',
  fr: 'Rien à payer : le montant est crédité.',
  es: 'No hay nada que pagar: el importe se abona.',
  it: 'Nulla da pagare: l’importo è accreditato.',
  nl: 'Er hoeft niets te worden betaald: het bedrag wordt gecrediteerd.',
  pt: 'Nada a pagar: o valor é creditado.',
  pl: 'Brak kwoty do zapłaty: korekta na korzyść nabywcy.',
  sv: 'Inget att betala: beloppet krediteras.',
  da: 'Intet at betale: beløbet krediteres.',
  ja: 'お支払いは不要です（返金・減額分）。',
};
