/** Types for the used parts of packages that have none, or wrong ones. */

declare module 'fontkit' {
  interface Glyph {
    readonly id: number;
    readonly advanceWidth: number;
    /** The characters that the glyph stands for; empty if several glyphs share one character */
    readonly codePoints: readonly number[];
    readonly path: { readonly commands: readonly PathCommand[] };
  }

  interface PathCommand {
    readonly command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'bezierCurveTo' | 'closePath';
    /** Coordinates of points in turn, in units of the font, upward */
    readonly args: readonly number[];
  }

  interface GlyphPosition {
    xAdvance: number;
    yAdvance: number;
    xOffset: number;
    yOffset: number;
  }

  interface GlyphRun<Of = Glyph> {
    /** In drawing order, from left to right */
    readonly glyphs: readonly Of[];
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

  /** The position to read next in a table, or in the whole file if its tables are not packed */
  interface TableStream {
    pos: number;
  }

  interface Font {
    readonly type: 'TTF' | 'WOFF' | 'WOFF2';
    _getTableStream(tag: string): TableStream | null;
    readonly unitsPerEm: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): Glyph;
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
  type Options = Readonly<Record<string, unknown>>;

  /** Lengths are in thousandths of an em. */
  interface Position {
    readonly xAdvance: number;
    readonly xOffset: number;
    readonly yOffset: number;
    /** The width of the glyph in the font, before it was moved */
    readonly advanceWidth: number;
  }

  interface EmbeddedFont {
    readonly id: string;
    /** By glyph, the characters that a copy of it gives */
    readonly unicode: (readonly number[])[];
    ref(): object;
    /** @returns the glyphs as hexadecimal ids, in drawing order, which the document embeds then */
    encode(text: string, features?: readonly string[]): [glyphs: readonly string[], positions: readonly Position[]];
  }

  interface StructureElement {
    add(child: object): this;
    /** It gets no more children. What it has of a page must be on the page that is open now. */
    end(): void;
  }

  /** Values are names as strings, and texts as objects of the class String. */
  export interface Reference {
    end(content?: Uint8Array): void;
  }

  export class PDFDocument {
    constructor(options: Options);
    addPage(): this;
    /** @param font that is already parsed */
    registerFont(name: string, font: object): this;
    font(name: string): this;
    readonly _font: EmbeddedFont;
    readonly _fontFamilies: Readonly<Record<string, EmbeddedFont>>;
    /** The catalog */
    readonly _root: { readonly data: Record<string, unknown> };
    ref(dictionary: object): Reference;
    addNamedEmbeddedFile(name: string, file: Reference): void;
    /** Adds to the metadata. */
    appendXML(description: string): void;
    readonly page: { readonly fonts: Record<string, object>; readonly xobjects: Record<string, object> };
    addContent(operators: string): this;
    roundedRect(x: number, y: number, width: number, height: number, radius: number): this;
    rect(x: number, y: number, width: number, height: number): this;
    fill(colour: string): this;
    save(): this;
    restore(): this;
    translate(x: number, y: number): this;
    link(x: number, y: number, width: number, height: number, url: string, options: Options): this;
    rotate(degrees: number, options: Options): this;
    struct(role: string, options: Options): StructureElement;
    addStructure(element: StructureElement): this;
    markStructureContent(role: string): object;
    markContent(tag: 'Artifact', options: Options): this;
    endMarkedContent(): this;
    end(): void;
  }
}

declare module 'pdfkit/output' {
  import type { PDFDocument } from 'pdfkit';

  export function toBytes(document: PDFDocument): Promise<Uint8Array>;
}

declare module 'linebreak' {
  class LineBreaker {
    constructor(text: string);
    nextBreak(): { readonly position: number } | null;
  }
  export = LineBreaker;
}

declare module 'bidi-js' {
  interface EmbeddingLevels {
    readonly levels: Uint8Array;
    /** `end` is the index of the last character */
    readonly paragraphs: readonly { readonly start: number; readonly end: number; readonly level: number }[];
  }

  interface Bidi {
    getEmbeddingLevels(text: string): EmbeddingLevels;
    /** @returns the indices of the characters, from left to right */
    getReorderedIndices(text: string, levels: EmbeddingLevels): readonly number[];
    /** Null if the character belongs to no pair */
    getMirroredCharacter(character: string): string | null;
  }

  function bidiFactory(): Bidi;
  export = bidiFactory;
}
