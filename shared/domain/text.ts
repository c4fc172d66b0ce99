/**
 * Text as searches and unique names compare it: composed the same way, and without case. Going through upper case folds what has no small
 * counterpart of its own (`ß` and `ss`, a ligature and its letters), and Greek's two small sigmas become one.
 */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}
