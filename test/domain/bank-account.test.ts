import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactIban, groupedIban, isBic, isIban } from '#shared/domain/bank-account.ts';

/** Examples of the registry of ISO 13616. */
const IBANS = [
  'DE89 3704 0044 0532 0130 00',
  'GB29 NWBK 6016 1331 9268 19',
  'FR14 2004 1010 0505 0001 3M02 606',
  'NO93 8601 1117 947',
  'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
];

describe('an IBAN', () => {
  it.each(IBANS)('is %s, whatever its spaces and case', (iban) => {
    const compact = iban.replaceAll(' ', '');
    for (const written of [iban, compact, iban.toLowerCase(), ` ${iban.replaceAll(' ', '\u00a0')}\n`]) {
      expect(isIban(written)).toBe(true);
      expect(compactIban(written)).toBe(compact);
    }
    expect(groupedIban(compact)).toBe(iban);
  });

  it('has check digits that find each wrong digit, and any two that changed places', () => {
    const compact = fc.constantFrom(...IBANS).map(compactIban);
    const at = fc.nat({ max: 14 });
    fc.assert(
      fc.property(compact, at, fc.constantFrom(...'0123456789'), (iban, position, digit) => {
        const changed = iban.slice(0, position) + digit + iban.slice(position + 1);
        expect(isIban(changed)).toBe(changed === iban);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 20 }), (position) => {
        const iban = 'DE89370400440532013000';
        const [one = '', other = ''] = iban.slice(position, position + 2);
        const swapped = iban.slice(0, position) + other + one + iban.slice(position + 2);
        expect(isIban(swapped)).toBe(one === other);
      }),
    );
  });

  it.each([
    'DE89',
    '89370400440532013000',
    'DE89370400440532013000DE89370400440532013000',
    'DE89-3704',
    // Its last letter is an S once it is in upper case.
    'MT84 MALT 0110 0001 2345 MTLC AST0 01\u017f',
  ])('is not %j', (text) => {
    expect(isIban(text)).toBe(false);
  });
});

describe('a BIC', () => {
  it.each(['BYLADEM1001', 'DEUTDEFF', 'CHASUS33XXX'])('is %s', (bic) => expect(isBic(bic)).toBe(true));
  it.each(['', 'DEUTDEF', 'DEUTDEFF5', 'DEUTDEFF50', 'deutdeff', 'DEUT1EFF', 'DEUTDEFF5000'])('is not %j', (bic) =>
    expect(isBic(bic)).toBe(false),
  );
});
