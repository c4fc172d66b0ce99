/**
 * A parser rounds a number that a double cannot hold, in silence. The digits are in the text alone, so it is parsed once
 * more, where it has a number that is long enough to lose some.
 */

/** Any number of 15 digits is exact, and any power of ten that is written without an exponent. */
const SUSPICION = /(?:^|[:,[\s])-?(?:\d[\d.]{15}|[\d.]+[eE])/;

/** A longer one may only be zeros, but no program writes it, and comparing many of them would take seconds. */
const MOST_CHARACTERS = 64;

const INEXACT = Symbol('a number that would lose digits');

/**
 * @param text JSON that is not nested deep (`json-shape.ts`)
 * @returns the dotted paths of numbers that would lose digits, at most so many
 */
export function inexactNumbers(text: string, most: number): string[] {
  if (!SUSPICION.test(text)) return [];
  let isExactAll = true;
  const marked: unknown = JSON.parse(text, (_name: string, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value !== 'number' || isExact(context?.source ?? '', value)) return value;
    isExactAll = false;
    return INEXACT;
  });
  if (isExactAll) return [];
  const found: string[] = [];
  for (const path of pathsIn(marked, [])) {
    if (found.push(path) === most) break;
  }
  return found;
}

function* pathsIn(value: unknown, path: readonly string[]): Generator<string> {
  if (value === INEXACT) yield path.join('.');
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* pathsIn(member, [...path, name]);
}

function isExact(source: string, value: number): boolean {
  const kept = String(value);
  return source === kept || (source.length <= MOST_CHARACTERS && decimalOf(source) === decimalOf(kept));
}

/** Significant digits and a power of ten, in one spelling. */
function decimalOf(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = withoutLastZeros(digits);
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return significant === '' ? '0' : `${significant}e${power}`;
}

/** A regular expression would begin anew at each of many zeros. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
