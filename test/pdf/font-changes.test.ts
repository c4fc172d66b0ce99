import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fontChangesIn } from '#shared/domain/invoices/font-changes.ts';
import { LABEL } from '#shared/pdf/styles.ts';
import { createTypesetter } from '#shared/pdf/typesetter/typesetter.ts';
import { draws } from '#test/support/draws.ts';

/** Of every alphabet with a font of its own, and what stands between their words. */
const OF_ALPHABETS = [
  ...['a', 'É', 'ж', 'λ', 'ب', 'ש', 'ไ', 'ক', 'க', 'త', 'ગ', 'ਗ', 'ಕ', 'മ', 'ක', 'ក', 'ລ', 'က', 'ქ', 'հ', 'አ', 'न'],
];

const MIXED = [
  ...OF_ALPHABETS,
  ...['語', 'あ', '한', '☀', '🚀', '𝒳', '×', '…'],
  ...[' ', ' ', '1', '23', '٣', '۴', '.', '!', '(', ')', '-', '\u0301', '\u200f', '\u202e'],
];

const drawnChanges = (text: string) => createTypesetter('japanese').line(text, LABEL).pieces.length - 1;

describe('changes of font and direction', () => {
  it('are counted at least as often as they are drawn', () => {
    const letter = fc.constantFrom(...MIXED);
    const few = fc
      .uniqueArray(letter, { minLength: 1, maxLength: 5 })
      .chain((letters) => fc.array(fc.constantFrom(...letters), { maxLength: 60 }));
    const property = fc.property(few, (letters) => {
      const text = letters.join('');
      expect(fontChangesIn(text)).toBeGreaterThanOrEqual(drawnChanges(text));
    });
    fc.assert(property, { numRuns: draws(150) });
  });

  it.each([
    ['aא', 2_000],
    ['(א)a', 2_000],
    ['א1!', 1_998],
    ['aก', 2_000],
  ])('are found in %s, however often it comes', (part, length) => {
    const text = part.repeat(length / part.length);
    expect(fontChangesIn(text)).toBeGreaterThanOrEqual(drawnChanges(text));
    expect(drawnChanges(text)).toBeGreaterThan(length / 2);
  });

  it('are none between the letters and words of one alphabet, nor between digits', () => {
    for (const text of ['123', ...OF_ALPHABETS.map((letter) => `${letter}${letter} ${letter}`)]) {
      expect(fontChangesIn(`語${text}`), text).toBe(1);
    }
  });

  it.each(['Übersetzung für Łódź: 3 × 12,50 € (2 h)', 'שלום עולם', 'ที่ปรึกษา ธุรกิจ', 'হিন্দি ভাষা'])(
    'are none in %s',
    (text) => {
      expect([fontChangesIn(text), drawnChanges(text)]).toEqual([0, 0]);
    },
  );
});
