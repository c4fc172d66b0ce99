/** The languages that an invoice can be written in, as ISO 639-1 codes. */
export const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'ja'] as const;

export type Locale = (typeof LOCALES)[number];
