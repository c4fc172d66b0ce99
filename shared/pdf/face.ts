import type { Font, Glyph, GlyphPosition, GlyphRun } from 'fontkit';
import type { ParsedFont } from 'pdfkit';
import { mirrored } from './bidi.ts';

/**
 * A font in one document. It stands between fontkit, which shapes text, and pdfkit, which embeds what was drawn.
 *
 * pdfkit records one text for each glyph. But fonts use one glyph for several characters: an Arabic letter may be a
 * shared stroke plus dots. Fonts also draw some characters in another order than they are written, such as the
 * vowels of Indian scripts. With pdfkit's record alone, copying or searching such text would give different text.
 * Here a glyph counts once for each text that it stands for. The texts of a word's glyphs, read one after the
 * other, are the word.
 */
export interface Face {
  readonly name: string;
  readonly pdfFont: ParsedFont;
  has(codePoint: number): boolean;
  /** Width in ems */
  widthOf(text: string, direction: Direction): number;
}

export type Direction = 'ltr' | 'rtl';

/**
 * pdfkit has no option for a text's direction, but it passes a text's features through to the font. OpenType has
 * this feature for right-to-left text only.
 */
export const RIGHT_TO_LEFT_FEATURES = ['rtlm'] as const;

interface ShapedGlyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
}

interface Shape {
  readonly glyphs: readonly ShapedGlyph[];
  readonly positions: readonly GlyphPosition[];
  readonly advanceWidth: number;
}

export function createFace(name: string, font: Font): Face {
  const variants = glyphVariants();
  const shapes = { ltr: new Map<string, Shape>(), rtl: new Map<string, Shape>() };
  const { unitsPerEm } = font;

  const shapeOf = (text: string, direction: Direction): Shape => {
    const known = shapes[direction].get(text);
    if (known) return known;
    const shape = shapeText(font, text, direction, variants);
    shapes[direction].set(text, shape);
    return shape;
  };

  /** pdfkit scales the positions of this result in place. */
  const layout = (text: string, features?: readonly string[]) => {
    const shape = shapeOf(text, features?.includes(RIGHT_TO_LEFT_FEATURES[0]) ? 'rtl' : 'ltr');
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
      drawnParts(text, direction).reduce((width, part) => width + shapeOf(part, direction).advanceWidth, 0) /
      unitsPerEm,
  };
}

const FIGURE = /^[0-9.,:%-]{2,} ?$/;

/**
 * Text is shaped word by word, each with the space after it, so a repeated word is shaped once. Measuring the same
 * parts gives the width that is drawn. Hardly a figure is repeated, but its digits are.
 *
 * @returns the words from left to right
 */
export function drawnParts(text: string, direction: Direction): string[] {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    const space = text.indexOf(' ', start);
    const end = space < 0 ? text.length : space + 1;
    const part = text.slice(start, end);
    if (FIGURE.test(part)) parts.push(...part);
    else parts.push(part);
    start = end;
  }
  return direction === 'rtl' ? parts.reverse() : parts;
}

interface GlyphVariants {
  /** The id by which pdfkit knows a glyph that stands for this text. */
  idOf(glyphId: number, codePoints: readonly number[]): number;
  glyphIdOf(id: number): number;
}

function glyphVariants(): GlyphVariants {
  /** pdfkit expects the font's own sign for missing characters to be first. */
  const glyphIds = [0];
  const ids = new Map<string, number>();
  return {
    idOf: (glyphId, codePoints) => {
      const meaning = `${glyphId}:${codePoints}`;
      const known = ids.get(meaning);
      if (known !== undefined) return known;
      ids.set(meaning, glyphIds.length);
      return glyphIds.push(glyphId) - 1;
    },
    glyphIdOf: (id) => glyphIds[id] ?? 0,
  };
}

/** Like fontkit's own subset, but with each glyph once for each of its variants. */
function subsetOf(font: Font, variants: GlyphVariants) {
  const subset = font.createSubset();
  const places = new Map<number, number>([[0, 0]]);
  return {
    cff: subset.cff,
    includeGlyph: (id: number): number => {
      const known = places.get(id);
      if (known !== undefined) return known;
      const place = subset.glyphs.push(variants.glyphIdOf(id)) - 1;
      places.set(id, place);
      return place;
    },
    encode: () => subset.encode(),
  };
}

function shapeText(font: Font, text: string, direction: Direction, variants: GlyphVariants): Shape {
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

/** The text of a glyph without text of its own. PDF readers ignore this character; without it some invent one. */
const INVISIBLE: readonly number[] = [0x200b];

/** @returns the text of each glyph, in the order of the glyphs; in reading order they are the whole text */
function textsOfGlyphs(glyphs: readonly Glyph[], text: string, direction: Direction): (readonly number[])[] {
  const inOrder = direction === 'rtl' ? glyphs.toReversed() : glyphs;
  const byCount = dealtByCount(codePointsOf(text), inOrder);
  const texts = byCount ?? dealtByWidth(text, inOrder);
  const visible = texts.map((part) => (part.length > 0 ? part : INVISIBLE));
  // A PDF reader reverses right-to-left text as a whole, even the letters of a ligature.
  return direction === 'rtl' ? visible.map((part) => part.toReversed()).reverse() : visible;
}

/** Marks take no width. */
const MARKS = /^[\p{Mn}\p{Cf}]*$/u;

/**
 * Gives each glyph as many characters as fontkit assigns to it. Only the count is used, because fontkit may have
 * learnt the characters themselves from another text.
 *
 * @returns null if a glyph with a width would get only marks: PDF readers would see a gap there and read a space
 */
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

/** A character and the marks on it */
const CLUSTER = /\p{Any}[\p{Mn}\p{Cf}]*/gu;

/** Gives each glyph with a width one character and its marks. The last such glyph gets all that is left. */
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
