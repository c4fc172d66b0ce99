/** The runtime's ISO 4217 list (decisions, section 1). */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code.toUpperCase());
}
