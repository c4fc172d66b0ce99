/** Upper case first: it folds letters without a lower case of their own, such as ligatures. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** As searches see a text: in any case, without space around it, and with any space inside as one. */
export function foldText(text: string): string {
  return fold(text.trim().replace(/\s+/g, ' '));
}

/** Letters that Unicode does not take apart. */
const BASES: Readonly<Record<string, string>> = { æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ħ: 'h', þ: 'th' };

/** Without the marks that letters of many languages have alike. Vowels and tones that are marks of one script stay. */
export function baseLetters(folded: string): string {
  return folded
    .normalize('NFD')
    .replace(/(?=\p{M})\p{Script=Inherited}/gu, '')
    .replace(/[æœøđðłħþ]/g, (letter) => BASES[letter] ?? letter)
    .normalize('NFC');
}

/** Only letters of ASCII: `ı` and `K` (Kelvin) in an address name another mailbox than `i` and `k`. */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** All but tab, line feed and carriage return. */
export function hasControls(text: string): boolean {
  return /(?![\t\n\r])\p{Cc}/u.test(text);
}

/** Characters that nobody sees, or that turn the direction of writing: with them two names may look the same. */
export function hasUnseen(name: string): boolean {
  return /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/.test(name);
}

/** What others say, without what turns the direction of writing or is no character of a text. */
export function cleanText(text: string): string {
  return text.replace(/(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '');
}
