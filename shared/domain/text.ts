/** Upper case first: it folds letters without a lower case of their own, such as ligatures. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

export function foldName(name: string): string {
  return fold(name.trim().replace(/\s+/g, ' '));
}
