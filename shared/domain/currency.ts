const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Checks for ASCII first: upper case turns some other letters into ASCII. */
export function isCurrency(code: string): boolean {
  return /^[a-z]{3}$/i.test(code) && CURRENCIES.has(code.toUpperCase());
}
