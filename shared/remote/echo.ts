/** Whether a text from outside repeats one of our secrets. Such a text must not be stored, shown or logged. */

/** Any text contains shorter secrets by chance. No provider's token is that short. */
const MINIMUM_SECRET_CHARACTERS = 6;

/**
 * Finds the secret as it is, percent-encoded and in Base64. Each form is also found behind JSON escapes.
 *
 * @param text JSON
 * @param secret visible ASCII
 */
export function repeats(text: string, secret: string): boolean {
  if (secret.length < MINIMUM_SECRET_CHARACTERS) return false;
  const forms = [secret, ...base64Forms(secret)];
  return readings(text).some((reading) => forms.some((form) => reading.includes(form)));
}

/** The text as it is, without JSON escapes, and percent-decoded too. */
function readings(text: string): readonly string[] {
  const unescaped = text.includes('\\') ? text.replace(JSON_ESCAPE, escapedCharacter) : text;
  const decoded = unescaped.includes('%') ? unescaped.replace(PERCENT_ESCAPE, characterOf) : unescaped;
  return [...new Set([text, unescaped, decoded])];
}

/** Secrets have visible characters only, so it does not matter what becomes of an escaped line break. */
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

/**
 * The Base64 digits of the secret that do not depend on what stands before or after it, such as `user:` in a
 * header. The number of bytes before the secret gives three forms, each in both alphabets.
 */
function base64Forms(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const digits = Buffer.from(`${' '.repeat(before)}${secret}`).toString('base64');
    const first = Math.ceil((before * BITS_PER_BYTE) / BITS_PER_DIGIT);
    const end = Math.floor(((before + secret.length) * BITS_PER_BYTE) / BITS_PER_DIGIT);
    const form = digits.slice(first, end);
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
