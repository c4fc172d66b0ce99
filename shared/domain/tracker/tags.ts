import { foldText } from '#shared/domain/text.ts';

export const MAX_TAGS = 10;

export const MAX_TAG_CHARACTERS = 50;

/** In the order given. Of those that are equal in any case, the first stays. */
export function distinctTags(tags: readonly string[]): string[] {
  const folded = tags.map(foldText);
  return tags.filter((_, index) => folded.indexOf(folded[index] ?? '') === index);
}

/** @param wanted folded */
export function hasTags(tags: readonly string[], wanted: readonly string[]): boolean {
  if (tags.length === 0) return wanted.length === 0;
  const folded = new Set(tags.map(foldText));
  return wanted.every((tag) => folded.has(tag));
}
