export const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'ja'] as const;

export type Locale = (typeof LOCALES)[number];
