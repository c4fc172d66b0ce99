/** The face of this room (`README.md`): nobody imports what lies beside it. */

export type { HanStyle } from './font-families.ts';
export { createTypesetter, type Line, type TextStyle, type Typesetter, withWordBreak } from './lines.ts';
export { packObjects } from './pack-objects.ts';
export { printable } from './printable.ts';
export { lineWriter, shapeOperators, type WriteLine } from './write-text.ts';
