/**
 * Text as it can be printed: composed, in lines parted by `\n`, and without what has no shape. Controls of direction go too: with them, a name
 * could make the rest of its line read other than it is. What joins letters and chooses among their shapes stays.
 */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(LINE_ENDS, '\n')
    .replaceAll('\t', ' ')
    .replace(SHAPELESS, '')
    .replace(STRAYS, '');
}

const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** Joiners, variation selectors and the tags that make flags of regions stay. */
const SHAPELESS =
  /(?!\n|\u200c|\u200d|[\u180b-\u180d]|[\ufe00-\ufe0f]|[\u{e0020}-\u{e007f}]|[\u{e0100}-\u{e01ef}])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/gu;

/** Joiners and selectors with nothing before them to join or to choose for: fonts draw some of these to the left of where they are. */
const STRAYS = /(?<=^|[\n ])(?:\u200c|\u200d|[\u180b-\u180d]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])+/gu;
