import assert from 'node:assert/strict';
import { create, type Font } from 'fontkit';
import {
  dictionary,
  isName,
  type Operation,
  type PdfDictionary,
  type PdfFile,
  type PdfValue,
  referred,
  streamOf,
} from './read-objects.ts';

/** The fonts of a PDF as its pages use them: two bytes of a text are the number of a glyph. */
export interface ReadFont {
  readonly dictionary: PdfDictionary;
  readonly descendant: PdfDictionary;
  readonly descriptor: PdfDictionary;
  /** By glyph, in thousandths of an em */
  readonly widths: readonly number[];
  /** By glyph, what a copy of it gives */
  readonly texts: readonly string[];
  /** The font itself; null for outlines in `CFF `, which fontkit does not read without their tables */
  readonly program: Font | null;
}

declare module 'fontkit' {
  interface Font {
    readonly numGlyphs: number;
    getGlyph(id: number): { readonly advanceWidth: number };
  }
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
      ? create(streamOf(file, descriptor.get('FontFile2')))
      : null,
  };
}

function textsIn(map: string): string[] {
  const [, ranges = ''] = /beginbfrange\n(.*)\nendbfrange/s.exec(map) ?? [];
  const rows = ranges.split('\n').flatMap((range) => range.match(/<([^>]*)>/g)?.slice(2) ?? []);
  return rows.map((row) => Buffer.from(row.replaceAll(/[<> ]/g, ''), 'hex').swap16().toString('utf16le'));
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
