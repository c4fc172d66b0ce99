/** Upper case first: it folds letters without a lower case of their own, such as ligatures. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** Only letters of ASCII: `ı` and `K` (Kelvin) in an address name another mailbox than `i` and `k`. */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** All but tab, line feed and carriage return. */
export function hasControls(text: string): boolean {
  return /[\p{Cc}--[\t\n\r]]/v.test(text);
}

/** Characters that nobody sees, or that turn the direction of writing: with them two names may look the same. */
export function hasUnseen(name: string): boolean {
  return /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/.test(name);
}

/** What others say, without what turns the direction of writing or is no character of a text. */
export function cleanText(text: string): string {
  return text.replace(/[[\p{Cc}--[\t\n\r]]\u202a-\u202e\u2066-\u2069]/gv, '');
}

export function foldName(name: string): string {
  return fold(name.trim().replace(/\s+/g, ' '));
}
