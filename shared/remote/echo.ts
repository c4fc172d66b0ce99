/** Any text contains shorter ones by chance, and no provider's token is as short. */
const MINIMUM_SECRET_CHARACTERS = 6;

/** Finds a secret of visible ASCII in JSON text, which must then not be stored, shown or logged. */
export function repeats(text: string, secret: string): boolean {
  if (secret.length < MINIMUM_SECRET_CHARACTERS) return false;
  const forms = [secret, ...base64Forms(secret)];
  return readings(text).some((reading) => forms.some((form) => reading.includes(form)));
}

function readings(text: string): readonly string[] {
  const unescaped = text.includes('\\') ? text.replace(JSON_ESCAPE, escapedCharacter) : text;
  const decoded = unescaped.includes('%') ? unescaped.replace(PERCENT_ESCAPE, characterOf) : unescaped;
  return [...new Set([text, unescaped, decoded])];
}

const JSON_ESCAPE = /\\(?:u([0-9a-f]{4})|(.))/gi;

function escapedCharacter(_escape: string, hexadecimal: string | undefined, character: string | undefined): string {
  return hexadecimal === undefined ? (character ?? '') : characterOf('', hexadecimal);
}

const PERCENT_ESCAPE = /%([0-9a-f]{2})/gi;

function characterOf(_escape: string, hexadecimal: string): string {
  return String.fromCharCode(Number.parseInt(hexadecimal, 16));
}

const BITS_PER_BYTE = 8;
const BITS_PER_DIGIT = 6;

/** The Base64 digits that belong to the secret alone, whatever is encoded before it: three positions, two alphabets. */
function base64Forms(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const digits = Buffer.from(`${' '.repeat(before)}${secret}`).toString('base64');
    const first = Math.ceil((before * BITS_PER_BYTE) / BITS_PER_DIGIT);
    const end = Math.floor(((before + secret.length) * BITS_PER_BYTE) / BITS_PER_DIGIT);
    const form = digits.slice(first, end);
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
