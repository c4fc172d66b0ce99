import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseLetters, fold, foldText } from '#shared/domain/text.ts';
import { draws } from '#test/support/draws.ts';

describe('folded text', () => {
  it.each([
    ['Caf\u00e9', 'Cafe\u0301'],
    ['ΟΔΟΣ', 'οδος'],
    ['İstanbul', 'i̇stanbul'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'straße'],
    ['\u1fb4', '\u03b1\u0345\u0301'],
    ['\ufb01n', 'fin'],
  ])('of %s and %s is the same', (one, other) => {
    expect(fold(one)).toBe(fold(other));
  });

  it.each([
    ['ΟΔΟΣ', 'οδοσ'],
    ['Straße', 'strasse'],
    ['Cafe\u0301', 'caf\u00e9'],
    ['\u0390', '\u0390'],
  ])('of %s is %s for ever, since the table has it', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });
});

describe('a text as searches see it', () => {
  it.each([
    ['Acme  Inc', 'acme inc'],
    [' Acme\tInc\n', 'Acme Inc'],
    ['Acme\u00a0\u3000Inc', 'ACME INC'],
  ])('of %j and %j is the same', (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it('keeps apart what differs in more than spaces and case', () => {
    expect(foldText('Acme Inc')).not.toBe(foldText('AcmeInc'));
  });
});

describe('base letters', () => {
  it.each([
    ['œuvre', 'oeuvre'],
    ['łódź', 'lodz'],
    ['ærø', 'aero'],
    ['đặng', 'dang'],
    ['ísafjörður', 'isafjordur'],
    ['þórshöfn', 'thorshofn'],
    ['ħamrun', 'hamrun'],
    ['x\u0302', 'x'],
    ['ёлка', 'елка'],
    ['άλφα', 'αλφα'],
    ['がく', 'かく'],
  ])('of %s are %s', (name, letters) => {
    expect(baseLetters(fold(name))).toBe(letters);
  });

  it.each(['हिन्दी', 'ภาษาไทย', 'עִבְרִית', '한국어', '中文', 'ann b', '😀'])('leave %s as it is', (name) => {
    expect(baseLetters(fold(name))).toBe(fold(name));
  });
});

it.each([
  ['folded', fold],
  ['as searches see it', foldText],
  ['in base letters', (text: string) => baseLetters(fold(text))],
])('a text %s stays as it is when it is folded again', (_, folded) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => folded(folded(text)) === folded(text)),
    { numRuns: draws(125) },
  );
});
