/** The runtime's ISO 4217 list. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** @param code in any case; checked for ASCII first, because upper case turns some other letters into ASCII */
export function isCurrency(code: string): boolean {
  return /^[a-z]{3}$/i.test(code) && CURRENCIES.has(code.toUpperCase());
}
