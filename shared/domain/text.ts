/** Text as searches compare it: composed the same way and without case. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
