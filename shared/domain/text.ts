/**
 * Text as searches and unique names compare it: in one composition and without case. Going through upper case folds
 * letters without a lower-case counterpart of their own (`ß` and `ss`, a ligature and its letters). The two
 * lower-case sigmas of Greek become one.
 */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** A name as unique names compare it: folded, without space around it, and with one space where there are several. */
export function foldName(name: string): string {
  return fold(name.trim().replace(/\s+/g, ' '));
}
