import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repeats } from '#shared/remote/echo.ts';

const percentEncoded = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const jsonEscaped = (text: string) =>
  [...text].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

const inBase64 = (encoding: 'base64' | 'base64url') => (text: string, before: string, after: string) =>
  Buffer.from(`${before}${text}${after}`).toString(encoding);

const FORMS: readonly [string, (token: string, before: string, after: string) => string][] = [
  ['as it is', (token) => token],
  ['percent-encoded', encodeURIComponent],
  ['percent-encoded to the last character', percentEncoded],
  ['in Base64', inBase64('base64')],
  ['in the Base64 of URLs', inBase64('base64url')],
  ['percent-encoded Base64', (...parts) => encodeURIComponent(inBase64('base64')(...parts))],
];

const token = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 6,
});

describe('a text repeats a token', () => {
  it.each(FORMS)('%s, whatever is around it, escaped or not', (_form, encode) => {
    fc.assert(
      fc.property(token, fc.string(), fc.string(), (secret, before, after) => {
        const encoded = encode(secret, before, after);
        expect(repeats(JSON.stringify([`${before} ${encoded} ${after}`]), secret)).toBe(true);
        expect(repeats(JSON.stringify([encoded]).replaceAll('/', '\\/'), secret)).toBe(true);
        expect(repeats(`{"a":"${jsonEscaped(encoded)}"}`, secret)).toBe(true);
      }),
    );
  });

  it('and not where it has only a part of it, or where it is too short to be one', () => {
    const secret = 'very-secret-token';
    const others = [secret.slice(1), secret.slice(0, -1), secret.toUpperCase(), [...secret].toReversed().join('')];
    for (const [, encode] of FORMS) {
      expect(repeats(JSON.stringify(others.map((other) => encode(other, 'user:', '!'))), secret)).toBe(false);
    }
    expect(repeats('{"name":"Design"}', 'sign')).toBe(false);
  });
});
