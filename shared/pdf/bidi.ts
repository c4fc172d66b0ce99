import bidiFactory from 'bidi-js';

/** The order of right-to-left text, and of left-to-right text within it (Unicode Standard Annex 9). */

const bidi = bidiFactory();

/** Even: left to right; odd: right to left. */
export type Level = number;

/** The level of each UTF-16 unit of one paragraph. The first letter decides the paragraph's own direction. */
export function levelsOf(text: string): Uint8Array {
  return bidi.getEmbeddingLevels(text).levels;
}

/** Swaps brackets and the like for the other of their pair: in right-to-left text, an opening bracket opens left. */
export function mirrored(text: string): string {
  return Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join('');
}

/** Sorts the pieces of one line from reading order into their order from left to right (rule L2). */
export function inVisualOrder<Piece extends { readonly level: Level }>(pieces: readonly Piece[]): Piece[] {
  const levels = pieces.map(({ level }) => level);
  const ordered = [...pieces];
  const lowestOdd = Math.min(...levels.filter((level) => level % 2 === 1), Number.POSITIVE_INFINITY);
  for (let level = Math.max(0, ...levels); level >= lowestOdd; level--) reverseFrom(ordered, level);
  return ordered;
}

/** Reverses every sequence of pieces at or above this level. */
function reverseFrom<Piece extends { readonly level: Level }>(pieces: Piece[], level: Level): void {
  let start = 0;
  while (start < pieces.length) {
    let end = start;
    while ((pieces[end]?.level ?? -1) >= level) end++;
    pieces.splice(start, end - start, ...pieces.slice(start, end).reverse());
    start = end + 1;
  }
}
