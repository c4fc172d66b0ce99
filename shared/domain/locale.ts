export const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'ja'] as const;

export type Locale = (typeof LOCALES)[number];

/** Whether a document has the English of the United States, which Canada writes too. */
export function isAmerican(locale: Locale, sellerCountry: string | null): boolean {
  return locale === 'en' && (sellerCountry === 'US' || sellerCountry === 'CA');
}
