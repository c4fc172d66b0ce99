import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, foldName } from '#shared/domain/text.ts';

describe('folded text', () => {
  it.each([
    ['ÄPFEL', 'äpfel'],
    ['Caf\u00e9', 'Cafe\u0301'],
    ['ΟΔΟΣ', 'οδος'],
    ['İstanbul', 'i̇stanbul'],
    ['Straße', 'STRASSE'],
    ['\ufb01n', 'fin'],
  ])('of %s and %s is the same', (one, other) => {
    expect(fold(one)).toBe(fold(other));
  });

  it('stays as it is when it is folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => fold(fold(text)) === fold(text)),
      { numRuns: 1_000 },
    );
  });
});

describe('a folded name', () => {
  it.each([
    ['Acme  Inc', 'acme inc'],
    [' Acme\tInc\n', 'Acme Inc'],
    ['Acme\u00a0\u3000Inc', 'ACME INC'],
  ])('of %j and %j is the same', (one, other) => {
    expect(foldName(one)).toBe(foldName(other));
  });

  it('keeps apart what differs in more than spaces and case', () => {
    expect(foldName('Acme Inc')).not.toBe(foldName('AcmeInc'));
  });

  it('stays as it is when it is folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => foldName(foldName(text)) === foldName(text)),
      { numRuns: 1_000 },
    );
  });
});
