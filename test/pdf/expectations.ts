import { expect } from 'vitest';
import type { Pdf, PdfPage } from './read-pdf.ts';

/** Every page of an invoice keeps to these. Lengths are in points. */

/** Text is as wide as this on every paper */
const WIDTH = 487.28;

/** A letter to be read through a window has a wider margin on the left. */
const LETTER_EDGE = 70.87 + WIDTH;

export function rightEdge({ width, texts }: PdfPage): number {
  const edge = (width + WIDTH) / 2;
  const isLetter = texts.some(({ right }) => right > edge + 1 && Math.abs(right - LETTER_EDGE) < 0.5);
  return isLetter ? LETTER_EDGE : edge;
}

/** The reader counts a joiner as wide as the space that a font has in its place, though that is drawn without width. */
function widthOfJoiners(text: string, size: number): number {
  return (text.match(/\p{Default_Ignorable_Code_Point}/gu) ?? []).length * 0.3 * size;
}

/** How far a letter may overhang the place where it stands, in its size: in Indian scripts some conjuncts do, and signs that follow no letter. */
const OVERHANG = 0.3;

export function expectInsideMargins({ pages }: Pdf): void {
  for (const page of pages) {
    const right = rightEdge(page);
    const outside = page.texts.filter((one) => {
      // From right to left, what the reader counts for a joiner lies on the left.
      const joiners = widthOfJoiners(one.text, one.size);
      const isLeft = one.left + joiners < right - WIDTH - 0.5 - OVERHANG * one.size;
      const isRight = one.right - joiners > right + 0.5;
      return isLeft || isRight || one.baseline <= 30 || one.baseline + one.size >= page.height - 30;
    });
    expect(outside).toEqual([]);
  }
}

export function expectTidy(pdf: Pdf): void {
  expectInsideMargins(pdf);
  for (const page of pdf.pages) expectNoOverlap(page);
}

/** Boxes of a capital's height: descenders may reach into the space between lines, letters may not. */
export function expectNoOverlap({ texts }: PdfPage): void {
  const overlaps = texts.flatMap((one, index) =>
    texts.slice(index + 1).flatMap((other) => {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const upward =
        Math.min(one.baseline + 0.7 * one.size, other.baseline + 0.7 * other.size) -
        Math.max(one.baseline, other.baseline);
      return across > 0.5 && upward > 0.5 ? [`${one.text} over ${other.text}`] : [];
    }),
  );
  expect(overlaps).toEqual([]);
}
