import bidiFactory from 'bidi-js';

/** The order of text that is read from right to left, and of what is read from left to right within it (Unicode Standard Annex 9). */

const bidi = bidiFactory();

/** Even: from left to right; odd: from right to left. */
export type Level = number;

/** The level of each UTF-16 unit of one paragraph, whose own direction is that of its first letter. */
export function levelsOf(text: string): Uint8Array {
  return bidi.getEmbeddingLevels(text).levels;
}

/** Brackets and the like, each as the other of its pair: from right to left, an opening one opens to the left. */
export function mirrored(text: string): string {
  return Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join('');
}

/** Sorts the pieces of one line, given as they are read, as they stand from left to right (rule L2). */
export function inVisualOrder<Piece extends { readonly level: Level }>(pieces: readonly Piece[]): Piece[] {
  const levels = pieces.map(({ level }) => level);
  const ordered = [...pieces];
  const lowestOdd = Math.min(...levels.filter((level) => level % 2 === 1), Number.POSITIVE_INFINITY);
  for (let level = Math.max(0, ...levels); level >= lowestOdd; level--) reverseFrom(ordered, level);
  return ordered;
}

/** Reverses every sequence of pieces at this level or above. */
function reverseFrom<Piece extends { readonly level: Level }>(pieces: Piece[], level: Level): void {
  let start = 0;
  while (start < pieces.length) {
    let end = start;
    while ((pieces[end]?.level ?? -1) >= level) end++;
    pieces.splice(start, end - start, ...pieces.slice(start, end).reverse());
    start = end + 1;
  }
}
