import type { Locale } from './locale.ts';
import { compareDecimals, type Decimal } from './money.ts';
import { fault } from './problems.ts';

/** In the order in which invoices show them. */
export const TAX_CATEGORIES = [
  'standard',
  'zero',
  'exempt',
  'reverse_charge',
  'intra_community',
  'export',
  'outside_scope',
] as const;

export type TaxCategory = (typeof TAX_CATEGORIES)[number];

/** As callers ask for it. */
export interface TaxDraft {
  readonly taxRate: Decimal | null;
  /** Null or absent: by the rate. */
  readonly taxCategory?: TaxCategory | null;
}

/**
 * The wanted category, or the one that a rate has by default.
 *
 * @param path where the request has the category
 * @throws Problem `tax_category_mismatch`
 */
export function taxCategoryOf({ taxRate, taxCategory }: TaxDraft, path: string): TaxCategory | null {
  const isTaxed = taxRate !== null && isPositive(taxRate);
  if (!taxCategory) return usualCategory(taxRate);
  if (isTaxed === (taxCategory === 'standard')) return taxCategory;
  const message = isTaxed
    ? `With a rate above 0 the category is "standard", not "${taxCategory}".`
    : 'The category "standard" needs a rate above 0.';
  throw fault('tax_category_mismatch', path, message);
}

function usualCategory(taxRate: Decimal | null): TaxCategory | null {
  if (taxRate === null) return null;
  return isPositive(taxRate) ? 'standard' : 'zero';
}

function isPositive(rate: Decimal): boolean {
  return compareDecimals(rate, '0') > 0;
}

type Explained = Extract<TaxCategory, 'reverse_charge' | 'intra_community' | 'export' | 'outside_scope'>;

/** Why no tax is due, where the caller gives no reason. */
const USUAL_REASONS: Readonly<Record<Locale, Readonly<Record<Explained, string>>>> = {
  en: {
    reverse_charge: 'Reverse charge: the customer accounts for the tax.',
    intra_community: 'VAT-exempt intra-Community supply.',
    export: 'Export outside the EU, exempt from VAT.',
    outside_scope: 'Outside the scope of VAT.',
  },
  de: {
    reverse_charge: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).',
    intra_community: 'Steuerfreie innergemeinschaftliche Lieferung.',
    export: 'Steuerfreie Ausfuhrlieferung.',
    outside_scope: 'Nicht steuerbar.',
  },
  fr: {
    reverse_charge: 'Autoliquidation.',
    intra_community: 'Livraison intracommunautaire exonérée de TVA.',
    export: 'Exportation exonérée de TVA.',
    outside_scope: 'Hors du champ d’application de la TVA.',
  },
  es: {
    reverse_charge: 'Inversión del sujeto pasivo.',
    intra_community: 'Entrega intracomunitaria exenta de IVA.',
    export: 'Exportación exenta de IVA.',
    outside_scope: 'Operación no sujeta a IVA.',
  },
  it: {
    reverse_charge: 'Inversione contabile.',
    intra_community: 'Cessione intracomunitaria non imponibile IVA.',
    export: 'Esportazione non imponibile IVA.',
    outside_scope: 'Operazione fuori campo IVA.',
  },
  nl: {
    reverse_charge: 'Btw verlegd.',
    intra_community: 'Intracommunautaire levering, vrijgesteld van btw.',
    export: 'Uitvoer buiten de EU, vrijgesteld van btw.',
    outside_scope: 'Buiten het toepassingsgebied van de btw.',
  },
  pt: {
    reverse_charge: 'IVA – autoliquidação.',
    intra_community: 'Transmissão intracomunitária isenta de IVA.',
    export: 'Exportação isenta de IVA.',
    outside_scope: 'Operação não sujeita a IVA.',
  },
  pl: {
    reverse_charge: 'Odwrotne obciążenie.',
    intra_community: 'Wewnątrzwspólnotowa dostawa towarów, stawka VAT 0%.',
    export: 'Eksport towarów, stawka VAT 0%.',
    outside_scope: 'Nie podlega opodatkowaniu VAT.',
  },
  sv: {
    reverse_charge: 'Omvänd betalningsskyldighet.',
    intra_community: 'Momsfri unionsintern leverans.',
    export: 'Momsfri export utanför EU.',
    outside_scope: 'Omfattas inte av moms.',
  },
  da: {
    reverse_charge: 'Omvendt betalingspligt.',
    intra_community: 'Momsfri EU-leverance.',
    export: 'Momsfri eksport ud af EU.',
    outside_scope: 'Uden for momslovens anvendelsesområde.',
  },
  ja: {
    reverse_charge: 'リバースチャージ方式：納税義務は役務の提供を受ける者にあります。',
    intra_community: 'EU域内供給（付加価値税免税）。',
    export: '輸出免税。',
    outside_scope: '課税対象外（不課税）。',
  },
};

/** In the language of the invoice; null for a category that needs no reason, and for `exempt`, which has no usual one. */
export function usualReason(category: TaxCategory, locale: Locale | null): string | null {
  const reasons: Readonly<Partial<Record<TaxCategory, string>>> = USUAL_REASONS[locale ?? 'en'];
  return reasons[category] ?? null;
}

export const TAX_ROUNDINGS = ['line', 'rate'] as const;

/** Whether tax is rounded for each line, or for all lines of a category and rate together. */
export type TaxRounding = (typeof TAX_ROUNDINGS)[number];
