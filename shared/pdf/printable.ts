/**
 * Text as it can be printed: composed, in lines separated by `\n`, and without characters that have no shape.
 * Controls of direction are removed too, because a name with them could make the rest of its line read differently.
 * Characters that join letters or choose among their shapes stay.
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

/** Matches all shapeless characters except joiners, variation selectors and the tags that make flags of regions. */
const SHAPELESS =
  /(?!\n|\u200c|\u200d|[\u180b-\u180d]|[\ufe00-\ufe0f]|[\u{e0020}-\u{e007f}]|[\u{e0100}-\u{e01ef}])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/gu;

/** Joiners and selectors with nothing before them to act on. Fonts draw some of these to the left of their place. */
const STRAYS = /(?<=^|[\n ])(?:\u200c|\u200d|[\u180b-\u180d]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])+/gu;
