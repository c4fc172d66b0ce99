/** Controls of direction go too: a name could make the rest of its line read differently by them. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(LINE_ENDS, '\n')
    .replaceAll('\t', ' ')
    .replace(INVISIBLE, '')
    .replace(STRAYS, '');
}

const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** All but joiners, variation selectors and the tags in flags of regions, which change how others look. */
const INVISIBLE =
  /(?!\n|\u200c|\u200d|[\u180b-\u180d]|[\ufe00-\ufe0f]|[\u{e0020}-\u{e007f}]|[\u{e0100}-\u{e01ef}])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/gu;

/** Joiners and selectors with nothing before them. Some fonts draw them to the left of their place. */
const STRAYS = /(?<=^|[\n ])(?:\u200c|\u200d|[\u180b-\u180d]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])+/gu;
