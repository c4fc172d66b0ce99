import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmail } from '#shared/domain/organization/email.ts';

const label = (letters: number) => 'x'.repeat(letters);

describe('an address', () => {
  it.each([
    'ana@acme.example',
    "a.b+c'd!#$%&*/=?^_`{|}~-@acme.example",
    'andré@bücher.example',
    '用户@例子.测试',
    `${label(64)}@${label(63)}.${label(63)}.${label(61)}`,
  ])('is %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    'acme.example',
    '@acme.example',
    'ana@localhost',
    'ana@.example',
    'a..na@acme.example',
    'ana@bea@acme.example',
    'ana bea@acme.example',
    'Ana <ana@acme.example>',
    'ana\u200b@acme.example',
    '"ana"@acme.example',
    'ana@[127.0.0.1]',
    `${label(65)}@acme.example`,
    `${'é'.repeat(33)}@acme.example`,
    `a@${label(64)}.example`,
    `${label(64)}@${label(63)}.${label(63)}.${label(62)}`,
  ])('is not %j', (text) => {
    expect(isEmail(text)).toBe(false);
  });

  it('has no control character, wherever it stands', () => {
    const controls = fc.integer({ min: 0, max: 0x9f }).filter((code) => code < 0x20 || code > 0x7e);
    fc.assert(
      fc.property(controls, fc.nat(16), (code, position) => {
        const address = 'ana@acme.example';
        const text = address.slice(0, position) + String.fromCodePoint(code) + address.slice(position);
        return !isEmail(text);
      }),
    );
  });
});
