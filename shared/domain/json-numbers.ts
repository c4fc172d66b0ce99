/**
 * A parser rounds a number that a double cannot hold, in silence. The digits are in the text alone, so it is read once
 * more, where it has a number that is long enough to lose some.
 */

/** Any number of 15 digits is exact, and any power of ten that is written without an exponent. */
const SUSPICION = /\d[\d.]{15}|\d[eE]/;

/** Of a text that is JSON. Everything between these means nothing here. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\],]/g;

interface Container {
  /** The name of the member, or the position, that comes next. */
  key: string | number;
  awaitsName: boolean;
}

/**
 * @param text JSON that is not nested deep (`json-shape.ts`)
 * @returns the dotted paths of numbers that would lose digits, at most so many
 */
export function inexactNumbers(text: string, most: number): string[] {
  if (!SUSPICION.test(text)) return [];
  const found: string[] = [];
  const containers: Container[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const container = containers.at(-1);
    switch (token[0]) {
      case '{':
        containers.push({ key: '', awaitsName: true });
        break;
      case '[':
        containers.push({ key: 0, awaitsName: false });
        break;
      case '}':
      case ']':
        containers.pop();
        break;
      case ',':
        if (typeof container?.key === 'number') container.key += 1;
        else if (container) container.awaitsName = true;
        break;
      case '"':
        if (!container?.awaitsName) break;
        container.key = JSON.parse(token);
        container.awaitsName = false;
        break;
      default:
        if (!isExact(token)) found.push(containers.map(({ key }) => key).join('.'));
        if (found.length === most) return found;
    }
  }
  return found;
}

function isExact(token: string): boolean {
  return decimalOf(token) === decimalOf(String(Number(token)));
}

/** Significant digits and a power of ten, in one spelling. */
function decimalOf(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return significant === '' && whole !== '' ? '0' : `${significant}e${power}`;
}
