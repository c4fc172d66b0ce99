import type { Font, Glyph, GlyphRun } from 'fontkit';
import { memoized } from '#shared/runtime/memoized.ts';
import { mirrored } from './bidi.ts';

/**
 * pdfkit records one text for each glyph, but fonts use one glyph for several characters, and draw some characters in
 * another order than they are written: a copy of such text would be another text. A glyph is therefore embedded once
 * for each text that it stands for. Together, the texts of a word's glyphs are the word.
 */
export interface Face {
  readonly name: string;
  readonly pdfFont: object;
  has(codePoint: number): boolean;
  /** In ems */
  widthOf(text: string, direction: Direction): number;
  /** Of all letters, from the start of the text */
  outlineOf(text: string, direction: Direction): readonly OutlinePart[];
}

interface OutlinePart {
  /** Of ISO 32000, 8.5.2 */
  readonly operator: 'm' | 'l' | 'c' | 'h';
  /** In ems, to the right and upward */
  readonly points: readonly (readonly [right: number, up: number])[];
}

export type Direction = 'ltr' | 'rtl';

/** pdfkit passes features to the font, but no direction. OpenType has this feature for right-to-left text only. */
export const RIGHT_TO_LEFT_FEATURES = ['rtlm'] as const;

export function createFace(name: string, font: Font): Face {
  const variants = glyphVariants();
  const shapeOf = memoized((direction: Direction) =>
    memoized((text: string) => shapeText(font, text, direction, variants)),
  );

  const layout = (text: string, features?: readonly string[]) => {
    const shape = shapeOf(features?.includes(RIGHT_TO_LEFT_FEATURES[0]) ? 'rtl' : 'ltr')(text);
    // pdfkit scales the positions in place.
    return { ...shape, positions: shape.positions.map((position) => ({ ...position })) };
  };

  return {
    name,
    pdfFont: Object.create(font, {
      layout: { value: layout },
      createSubset: { value: () => subsetOf(font, variants) },
    }),
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    widthOf: (text, direction) =>
      drawnParts(text, direction).reduce((width, part) => width + shapeOf(direction)(part).advanceWidth, 0) /
      font.unitsPerEm,
    outlineOf: (text, direction) => outlineOf(font, text, direction),
  };
}

function outlineOf(font: Font, text: string, direction: Direction): OutlinePart[] {
  const { glyphs, positions } = layOut(font, direction === 'rtl' ? mirrored(text) : text, direction);
  let pen = 0;
  return glyphs.flatMap(({ path }, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    const [left, bottom] = [pen + xOffset, yOffset];
    pen += xAdvance;
    let last: Point = [0, 0];
    return path.commands.map(({ command, args }): OutlinePart => {
      const points = Array.from(
        { length: args.length / 2 },
        (_, at): Point => [
          (left + (args[2 * at] ?? 0)) / font.unitsPerEm,
          (bottom + (args[2 * at + 1] ?? 0)) / font.unitsPerEm,
        ],
      );
      const part = { operator: OPERATORS[command], points: points.length === 2 ? asCubic(last, points) : points };
      last = points.at(-1) ?? last;
      return part;
    });
  });
}

type Point = readonly [right: number, up: number];

const OPERATORS = { moveTo: 'm', lineTo: 'l', quadraticCurveTo: 'c', bezierCurveTo: 'c', closePath: 'h' } as const;

/** PDF knows no curve with a single control point. */
function asCubic(start: Point, [control = start, end = start]: readonly Point[]): Point[] {
  const towards = ([x, y]: Point): Point => [x + (2 / 3) * (control[0] - x), y + (2 / 3) * (control[1] - y)];
  return [towards(start), towards(end), end];
}

/** The space in a figure, or between it and the sign of a currency, is a no-break space in many languages. */
const WORD = /[^ \u00a0\u202f]*[ \u00a0\u202f]?/g;

const FIGURE = /^[-\u2212]?(?:[A-Z]{0,3}\p{Sc})?[0-9.,:%-]{2,}[ \u00a0\u202f]?$/u;

/** Words with the space after them, and the characters of figures: few figures repeat, but their digits do. */
export function drawnParts(text: string, direction: Direction): string[] {
  const words = text.match(WORD) ?? [];
  const parts = words.flatMap((word) => (FIGURE.test(word) ? [...word] : word || []));
  return direction === 'rtl' ? parts.reverse() : parts;
}

interface GlyphVariants {
  /** The id that pdfkit gets for a glyph that stands for this text. */
  idOf(glyphId: number, codePoints: readonly number[]): number;
  glyphIdOf(id: number): number;
}

const NOTDEF = 0;

function glyphVariants(): GlyphVariants {
  /** pdfkit expects the font's `.notdef` to be first. */
  const glyphIds = [NOTDEF];
  const idOf = memoized((variant: string) => glyphIds.push(Number.parseInt(variant, 10)) - 1);
  return {
    idOf: (glyphId, codePoints) => idOf(`${glyphId}:${codePoints}`),
    glyphIdOf: (id) => glyphIds[id] ?? NOTDEF,
  };
}

/** Like fontkit's own subset, but with each glyph once for each of its variants. */
function subsetOf(font: Font, variants: GlyphVariants) {
  const subset = font.createSubset();
  return {
    cff: subset.cff,
    includeGlyph: memoized((id: number) => (id === NOTDEF ? NOTDEF : subset.glyphs.push(variants.glyphIdOf(id)) - 1)),
    encode: () => subset.encode(),
  };
}

function shapeText(
  font: Font,
  text: string,
  direction: Direction,
  variants: GlyphVariants,
): GlyphRun<Omit<Glyph, 'path'>> {
  const run = layOut(font, direction === 'rtl' ? mirrored(text) : text, direction);
  const texts = textsOfGlyphs(run.glyphs, text, direction);
  return {
    glyphs: run.glyphs.map(({ id, advanceWidth }, index) => {
      const codePoints = texts[index] ?? INVISIBLE;
      return { id: variants.idOf(id, codePoints), advanceWidth, codePoints };
    }),
    positions: run.positions,
    advanceWidth: run.advanceWidth,
  };
}

/** Stands for no text: PDF readers ignore this character, and some invent one for a glyph that has none. */
const INVISIBLE: readonly number[] = [0x200b];

/** The text of each glyph, in the order of the glyphs. In reading order, they are the whole text. */
function textsOfGlyphs(glyphs: readonly Glyph[], text: string, direction: Direction): (readonly number[])[] {
  const inOrder = direction === 'rtl' ? glyphs.toReversed() : glyphs;
  const byCount = dealtByCount(codePointsOf(text), inOrder);
  const texts = byCount ?? dealtByWidth(text, inOrder);
  const visible = texts.map((part) => (part.length > 0 ? part : INVISIBLE));
  // A PDF reader reverses right-to-left text as a whole, even the letters of a ligature.
  return direction === 'rtl' ? visible.map((part) => part.toReversed()).reverse() : visible;
}

const MARKS = /^[\p{Mn}\p{Cf}]*$/u;

/** Null if a glyph with a width would get only marks: PDF readers would read a space there. */
function dealtByCount(characters: readonly number[], glyphs: readonly Glyph[]): number[][] | null {
  const total = glyphs.reduce((count, { codePoints }) => count + codePoints.length, 0);
  if (total !== characters.length) return null;
  let next = 0;
  const dealt = glyphs.map(({ codePoints }) => {
    const start = next;
    next += codePoints.length;
    return characters.slice(start, next);
  });
  const isGap = (part: readonly number[], index: number) =>
    isWide(glyphs[index]) && MARKS.test(String.fromCodePoint(...part));
  return dealt.some(isGap) ? null : dealt;
}

const CLUSTER = /\p{Any}[\p{Mn}\p{Cf}]*/gu;

/** Gives each glyph with a width one character and its marks, and the last of them the rest. */
function dealtByWidth(text: string, glyphs: readonly Glyph[]): number[][] {
  const clusters = (text.match(CLUSTER) ?? []).map(codePointsOf);
  const last = Math.max(glyphs.findLastIndex(isWide), 0);
  let next = 0;
  return glyphs.map((glyph, index) => {
    if (index === last) return clusters.slice(next).flat();
    return isWide(glyph) ? (clusters[next++] ?? []) : [];
  });
}

function isWide(glyph: Glyph | undefined): boolean {
  return glyph !== undefined && glyph.advanceWidth > 0;
}

function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

function layOut(font: Font, text: string, direction: Direction): GlyphRun {
  try {
    return font.layout(text, undefined, undefined, undefined, direction);
  } catch {
    return layOutPlainly(font, text, direction);
  }
}

/** fontkit fails on some sequences that occur in no language. Their characters are then drawn side by side. */
function layOutPlainly(font: Font, text: string, direction: Direction): GlyphRun {
  const glyphs = codePointsOf(text).map((codePoint) => font.glyphForCodePoint(codePoint));
  const inOrder = direction === 'rtl' ? glyphs.toReversed() : glyphs;
  return {
    glyphs: inOrder,
    positions: inOrder.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 })),
    advanceWidth: inOrder.reduce((width, glyph) => width + glyph.advanceWidth, 0),
  };
}
