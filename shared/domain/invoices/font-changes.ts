/** Each is drawn in one font and one direction, with the spaces between its words. */
const ALPHABETS: readonly string[] = [
  '[A-Za-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02b8\\u0386-\\u03f5\\u0400-\\u0482\\u048a-\\u052f\\u1e00-\\u1fbc]',
  '[\\u0610-\\u065f\\u066e-\\u06a1\\u06a3-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ef\\u06fa-\\u06ff\\u0750-\\u077f]',
  ...'Armn Beng Deva Ethi Geor Gujr Guru Hebr Khmr Knda Laoo Mlym Mymr Sinh Taml Telu Thai'
    .split(' ')
    .map((script) => `\\p{Script=${script}}`),
];

/** Any other character may be in a font of its own, or in another direction than its neighbours. */
const PARTS = new RegExp(
  [...ALPHABETS.map((letters) => `${letters}+(?: ${letters}+)*`), '[0-9]+', '[^]'].join('|'),
  'gu',
);

/** Latin, Greek and Cyrillic text with its signs. */
const IN_ONE_FONT = /^[\0-\u052f\u1e00-\u20cf]*$/;

/** How often a text changes its font or direction: as often as is drawn, or more. */
export function fontChangesIn(text: string): number {
  if (IN_ONE_FONT.test(text)) return 0;
  return (text.match(PARTS)?.length ?? 1) - 1;
}
