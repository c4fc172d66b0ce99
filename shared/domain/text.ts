/** Text as searches compare it: composed the same way, without case, and with one small sigma instead of Greek's two. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}
