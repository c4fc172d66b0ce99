/** International bank account numbers (ISO 13616) and the codes of banks (ISO 9362). */

/** Two letters of the country, two check digits, and the number in the country. */
const IBAN = /^[A-Z]{2}(?:0[2-9]|[1-8]\d|9[0-8])[A-Z\d]{11,30}$/;

/** Removes spaces, and converts to upper case. */
export function compactIban(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}

/** Whether its check digits are right, however it is spaced. */
export function isIban(text: string): boolean {
  // Upper case turns some other letters into ASCII.
  if (!/^[\sA-Z\d]+$/i.test(text)) return false;
  const iban = compactIban(text);
  return IBAN.test(iban) && remainderOf97(`${iban.slice(4)}${iban.slice(0, 4)}`) === 1;
}

/** A letter counts as two digits: A is 10. */
function remainderOf97(text: string): number {
  const digits = text.replaceAll(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));
  return Number(BigInt(digits) % 97n);
}

/** In groups of four, as people read it. */
export function groupedIban(iban: string): string {
  return iban.replaceAll(/.{4}(?=.)/g, '$& ');
}

const BIC = /^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$/;

export const BIC_PATTERN = BIC.source;

export function isBic(text: string): boolean {
  return BIC.test(text);
}
