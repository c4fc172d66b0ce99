/**
 * What we use of packages whose types are missing or incomplete. pdfkit's types do not know fonts that are already
 * parsed. fontkit's types do not know the glyphs in a subset. bidi-js's types take its only export for a member.
 */

declare module 'fontkit' {
  interface Glyph {
    readonly id: number;
    /** In the font's units */
    readonly advanceWidth: number;
    /** The characters that the glyph stands for; empty if several glyphs share one character */
    readonly codePoints: readonly number[];
  }

  interface GlyphPosition {
    xAdvance: number;
    yAdvance: number;
    xOffset: number;
    yOffset: number;
  }

  interface GlyphRun {
    /** In drawing order, from left to right */
    readonly glyphs: readonly Glyph[];
    readonly positions: readonly GlyphPosition[];
    readonly advanceWidth: number;
  }

  interface Subset {
    /** Ids of the font's own glyphs, by their place in the subset; the first is `.notdef` */
    readonly glyphs: number[];
    /** Present if outlines are cubic (`CFF `) */
    readonly cff?: object;
    encode(): Uint8Array;
  }

  /** Where to read next in a table, or in the whole file if its tables are not packed */
  interface TableStream {
    pos: number;
  }

  interface Font {
    readonly type: 'TTF' | 'WOFF' | 'WOFF2';
    /** Null if the font has no such table */
    _getTableStream(tag: string): TableStream | null;
    readonly postscriptName: string;
    readonly unitsPerEm: number;
    readonly ascent: number;
    readonly descent: number;
    readonly lineGap: number;
    readonly xHeight: number;
    readonly capHeight: number;
    readonly italicAngle: number;
    readonly bbox: { readonly minX: number; readonly minY: number; readonly maxX: number; readonly maxY: number };
    readonly head: { readonly macStyle: { readonly italic: boolean } };
    readonly post: { readonly isFixedPitch: boolean };
    readonly 'OS/2': { readonly sFamilyClass: number };
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): Glyph;
    getGlyph(id: number): Glyph;
    layout(
      text: string,
      features?: readonly string[],
      script?: string,
      language?: string,
      direction?: 'ltr' | 'rtl',
    ): GlyphRun;
    createSubset(): Subset;
  }

  export function create(file: Uint8Array<ArrayBufferLike>): Font;
}

declare module 'pdfkit' {
  /** A font that is already parsed. pdfkit uses no more of it than fontkit's own fonts have. */
  interface ParsedFont {
    readonly postscriptName: string;
    layout(text: string, features?: readonly string[]): object;
    createSubset(): object;
    getGlyph(id: number): { readonly advanceWidth: number };
  }

  /** What pdfkit takes for text in place of a string: an instance of the class `String` */
  interface StringObject {
    readonly length: number;
    charCodeAt(index: number): number;
    valueOf(): string;
  }

  interface DocumentOptions {
    readonly size: readonly [widthPoints: number, heightPoints: number];
    readonly margin: number;
    /** Null: no font instead of Helvetica */
    readonly font: null;
    readonly autoFirstPage: boolean;
    readonly pdfVersion: '1.7';
    readonly subset: 'PDF/UA';
    readonly tagged: boolean;
    readonly lang: string;
    readonly displayTitle: boolean;
    readonly info: {
      readonly Title: StringObject;
      readonly Author: StringObject;
      readonly Creator: string;
      readonly Producer: string;
      readonly CreationDate: Date;
    };
  }

  /** Lengths are in thousandths of an em. */
  interface Position {
    readonly xAdvance: number;
    readonly xOffset: number;
    readonly yOffset: number;
    /** What the font says of the glyph */
    readonly advanceWidth: number;
  }

  interface EmbeddedFont {
    /** Its name among the resources of a page */
    readonly id: string;
    /** Makes sure that the document embeds the font. */
    ref(): object;
    /** @returns the glyphs as hexadecimal ids, in drawing order, which the document embeds then */
    encode(text: string, features?: readonly string[]): [glyphs: readonly string[], positions: readonly Position[]];
  }

  /** What is drawn between `markStructureContent` and `endMarkedContent` */
  interface StructureContent {
    readonly refs: readonly object[];
  }

  interface StructureElement {
    add(child: StructureElement | StructureContent): this;
  }

  export class PDFDocument {
    constructor(options: DocumentOptions);
    addPage(): this;
    registerFont(name: string, font: ParsedFont): this;
    font(name: string): this;
    /** The font that was chosen last */
    readonly _font: EmbeddedFont;
    readonly page: { readonly fonts: Record<string, object> };
    /** Adds operators to the page. */
    addContent(operators: string): this;
    roundedRect(x: number, y: number, width: number, height: number, radius: number): this;
    rect(x: number, y: number, width: number, height: number): this;
    fill(colour: string): this;
    save(): this;
    restore(): this;
    rotate(degrees: number, options: { readonly origin: readonly [x: number, y: number] }): this;
    struct(role: string, options?: { readonly scope?: 'Column' | 'Row' }): StructureElement;
    /** Adds an element to the root of the structure tree. */
    addStructure(element: StructureElement): this;
    markStructureContent(role: string): StructureContent;
    markContent(tag: 'Artifact', options: { readonly type: string }): this;
    endMarkedContent(): this;
    end(): void;
  }
}

declare module 'pdfkit/output' {
  import type { PDFDocument } from 'pdfkit';

  /** Resolves when the document has ended. */
  export function toBytes(document: PDFDocument): Promise<Uint8Array>;
}

declare module 'linebreak' {
  class LineBreaker {
    constructor(text: string);
    /** Null at the end of the text */
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
  export = LineBreaker;
}

declare module 'bidi-js' {
  interface Bidi {
    getEmbeddingLevels(text: string): { readonly levels: Uint8Array };
    /** Null if the character belongs to no pair */
    getMirroredCharacter(character: string): string | null;
  }

  function bidiFactory(): Bidi;
  export = bidiFactory;
}
