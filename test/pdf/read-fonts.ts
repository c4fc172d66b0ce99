import assert from 'node:assert/strict';
import { dictionary, isName, type Operation, type PdfDictionary, type PdfFile, type PdfValue } from './read-objects.ts';

/** The fonts of a PDF as its pages use them: two bytes of a text are the number of a glyph. */
export interface ReadFont {
  readonly dictionary: PdfDictionary;
  readonly descendant: PdfDictionary;
  readonly descriptor: PdfDictionary;
  /** By glyph, in thousandths of an em */
  readonly widths: readonly number[];
  /** By glyph, what a copy of it gives */
  readonly texts: readonly string[];
  /** As the font itself says; null for outlines in `CFF `, which this does not read */
  readonly program: FontProgram | null;
}

interface FontProgram {
  readonly glyphCount: number;
  widthOf(glyph: number): number;
}

export function referred(file: PdfFile, reference: PdfValue | undefined): PdfDictionary {
  return dictionary(objectOf(file, reference).value);
}

export function streamOf(file: PdfFile, reference: PdfValue | undefined): Buffer {
  const { stream } = objectOf(file, reference);
  assert(stream);
  return stream;
}

function objectOf(file: PdfFile, reference: PdfValue | undefined) {
  assert(typeof reference === 'object' && reference !== null && 'id' in reference);
  const object = file.objects.get(reference.id);
  assert(object, `There is no object ${reference.id}.`);
  return object;
}

/** By the name that a page gives them. @param resources of the page */
export function fontsOf(file: PdfFile, resources: PdfDictionary): Map<string, ReadFont> {
  const fonts = [...dictionary(resources.get('Font'))].map(([name, font]) => [name, fontOf(file, font)] as const);
  return new Map(fonts);
}

function fontOf(file: PdfFile, reference: PdfValue): ReadFont {
  const font = referred(file, reference);
  const [first] = [font.get('DescendantFonts')].flat();
  const descendant = referred(file, first);
  const descriptor = referred(file, descendant.get('FontDescriptor'));
  const [from, widths] = [descendant.get('W')].flat();
  assert(from === 0 && Array.isArray(widths));
  return {
    dictionary: font,
    descendant,
    descriptor,
    widths: widths.map(Number),
    texts: textsIn(streamOf(file, font.get('ToUnicode')).toString('latin1')),
    program: isName(descendant.get('Subtype'), 'CIDFontType2')
      ? trueType(streamOf(file, descriptor.get('FontFile2')))
      : null,
  };
}

function textsIn(map: string): string[] {
  const [, ranges = ''] = /beginbfrange\n(.*)\nendbfrange/s.exec(map) ?? [];
  const rows = ranges.split('\n').flatMap((range) => range.match(/<([^>]*)>/g)?.slice(2) ?? []);
  return rows.map((row) => Buffer.from(row.replaceAll(/[<> ]/g, ''), 'hex').swap16().toString('utf16le'));
}

/** OpenType, 5.2: `head`, `hhea`, `hmtx` and `maxp`. */
function trueType(font: Buffer): FontProgram {
  const tables = new Map(
    Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
      const entry = font.subarray(12 + 16 * index, 28 + 16 * index);
      const [start, length] = [entry.readUInt32BE(8), entry.readUInt32BE(12)];
      return [entry.toString('latin1', 0, 4), font.subarray(start, start + length)] as const;
    }),
  );
  const numberIn = (table: string, offset: number) => tables.get(table)?.readUInt16BE(offset) ?? Number.NaN;
  const [unitsPerEm, last] = [numberIn('head', 18), numberIn('hhea', 34) - 1];
  return {
    glyphCount: numberIn('maxp', 4),
    widthOf: (glyph) => (numberIn('hmtx', 4 * Math.min(glyph, last)) * 1_000) / unitsPerEm,
  };
}

export interface ShownGlyph {
  readonly font: ReadFont;
  readonly glyph: number;
}

/** In the order of drawing. */
export function shownGlyphs(operations: readonly Operation[], fonts: ReadonlyMap<string, ReadFont>): ShownGlyph[] {
  let font: ReadFont | undefined;
  return operations.flatMap(({ operator, operands: [operand = null] }) => {
    if (operator === 'Tf' && typeof operand === 'object' && operand && 'name' in operand)
      font = fonts.get(operand.name);
    if (operator !== 'TJ') return [];
    assert(font && Array.isArray(operand));
    const own = font;
    const bytes = Buffer.concat(
      operand.map((part) => (part && typeof part === 'object' && 'bytes' in part ? part.bytes : Buffer.alloc(0))),
    );
    return Array.from({ length: bytes.length / 2 }, (_, index) => ({
      font: own,
      glyph: bytes.readUInt16BE(2 * index),
    }));
  });
}
