/** Numbers of companies and places, as the rules of Peppol compute their check digits. */

function weighted(digits: string, weightOf: (position: number) => number): number {
  return [...digits].reduce((sum, digit, position) => sum + Number(digit) * weightOf(position), 0);
}

/** The positions count from the end, without the check digit. */
function weightedBackwards(number: string, weightOf: (position: number) => number): number {
  const digits = number.slice(0, -1);
  return weighted(digits, (position) => weightOf(digits.length - 1 - position));
}

function endsWith(number: string, checkDigit: number): boolean {
  return Number(number.at(-1)) === checkDigit;
}

/** Global Location Number (GS1), of any length. */
export function isGln(text: string): boolean {
  if (!/^\d+$/.test(text)) return false;
  const sum = weightedBackwards(text, (position) => (position % 2 === 0 ? 3 : 1));
  return endsWith(text, (10 - (sum % 10)) % 10);
}

/** Organisasjonsnummer. */
export function isNorwegianNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text) || Number(text) === 0) return false;
  const sum = weightedBackwards(text, (position) => (position % 6) + 2);
  return endsWith(text, (11 - (sum % 11)) % 11);
}

/** CVR-nummer, with or without `DK`. */
export function isDanishNumber(text: string): boolean {
  return /^(?:DK)?\d{8}$/.test(text);
}

const BELGIAN_MODULUS = 97;

/** Ondernemingsnummer. */
export function isBelgianNumber(text: string): boolean {
  if (!/^\d{10}$/.test(text)) return false;
  return BELGIAN_MODULUS - (Number(text.slice(0, 8)) % BELGIAN_MODULUS) === Number(text.slice(8));
}

/** Organisationsnummer: a digit of twice 7 is 1 + 4. */
export function isSwedishNumber(text: string): boolean {
  if (!/^\d{10}$/.test(text)) return false;
  const sum = [...text.slice(0, -1)].reduce((all, digit, position) => {
    const product = Number(digit) * (position % 2 === 0 ? 2 : 1);
    return all + (product % 10) + Math.floor(product / 10);
  }, 0);
  return endsWith(text, (10 - (sum % 10)) % 10);
}

const AUSTRALIAN_WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
const AUSTRALIAN_MODULUS = 89;

/** Australian Business Number, whose first digit counts as one less. */
export function isAustralianNumber(text: string): boolean {
  if (!/^\d{11}$/.test(text)) return false;
  const sum = weighted(text, (position) => AUSTRALIAN_WEIGHTS[position] ?? 0);
  return (sum - (AUSTRALIAN_WEIGHTS[0] ?? 0)) % AUSTRALIAN_MODULUS === 0;
}
