import bidiFactory from 'bidi-js';

/** The order of right-to-left text, and of left-to-right text within it (Unicode Standard Annex 9). */

const bidi = bidiFactory();

/** Even: left to right; odd: right to left. */
export type Level = number;

/** The level of each UTF-16 unit of one paragraph, whose first letter decides its direction. */
export function levelsOf(text: string): Uint8Array {
  return bidi.getEmbeddingLevels(text).levels;
}

/** Swaps brackets and the like for the other of their pair: in right-to-left text, an opening bracket opens left. */
export function mirrored(text: string): string {
  return Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join('');
}

/** From the order of reading into the order from left to right (rule L2). */
export function inVisualOrder<Piece extends { readonly level: Level }>(pieces: readonly Piece[]): Piece[] {
  const levels = Uint8Array.from(pieces, ({ level }) => level);
  // The library orders characters: one letter stands for each piece.
  const line = 'a'.repeat(pieces.length);
  const paragraph = { start: 0, end: pieces.length - 1, level: 0 };
  return bidi.getReorderedIndices(line, { levels, paragraphs: [paragraph] }).flatMap((index) => pieces[index] ?? []);
}
