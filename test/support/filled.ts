import type { Json } from './client.ts';

/** The members that are not null. That all others are there as well, each answer shows by the document. */
export const filled = (shown: Json): Json =>
  Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null));
