import type { EmbeddedFont, PDFDocument } from 'pdfkit';
import { memoized } from '#shared/runtime/memoized.ts';
import { type Direction, drawnParts, type Face, RIGHT_TO_LEFT_FEATURES } from './face.ts';
import type { Line, Piece, TextStyle } from './lines.ts';

/**
 * Operators of ISO 32000, 9.4. pdfkit's own `text` shapes every word again, which is most of the time of a long
 * invoice. Here each word is encoded once.
 */
export type WriteLine = (line: Line, x: number, baseline: number) => void;

/** As in the array of the operator `TJ`. */
interface Run {
  /** From the start of the word, in thousandths of an em */
  readonly dx: number;
  readonly dy: number;
  readonly glyphs: string;
}

interface Word {
  readonly runs: readonly Run[];
  /** One run that is not moved, so that it can continue the run before it */
  readonly isPlain: boolean;
  readonly advance: number;
  readonly glyphCount: number;
}

const THOUSANDTHS = 1_000;

export function lineWriter(document: PDFDocument): WriteLine {
  const fontOf = memoized((face: Face): EmbeddedFont => {
    document.registerFont(face.name, face.pdfFont);
    return document.font(face.name)._font;
  });
  const wordsOf = memoized((face: Face) =>
    memoized((direction: Direction) => memoized((text: string) => encoded(fontOf(face), text, direction))),
  );

  return ({ pieces, style }, x, baseline) => {
    if (pieces.length === 0) return;
    const operators = ['BT', `${rgb(style.colour)} rg`];
    if (style.trackingPoints) operators.push(`${figure(style.trackingPoints)} Tc`);
    for (const piece of pieces) {
      const font = fontOf(piece.face);
      document.page.fonts[font.id] ??= font.ref();
      operators.push(`/${font.id} ${figure(style.sizePoints)} Tf`);
      operators.push(...glyphOperators(piece, style, x + piece.x, baseline, wordsOf(piece.face)(piece.direction)));
    }
    if (style.trackingPoints) operators.push('0 Tc');
    document.addContent(`${operators.join('\n')}\nET`);
  };
}

/** The line as a shape, which looks the same and is no text: nobody reads, finds or copies it. */
export function shapeOperators({ pieces, style: { sizePoints, colour } }: Line, x: number, baseline: number): string {
  const operators = pieces.flatMap(({ text, face, direction, x: start }) =>
    face.outlineOf(text, direction).map(({ operator, points }) => {
      const places = points.flatMap(([right, up]) => [x + start + right * sizePoints, baseline - up * sizePoints]);
      return [...places.map(figure), operator].join(' ');
    }),
  );
  return [`${rgb(colour)} rg`, ...operators, 'f'].join('\n');
}

function glyphOperators(
  { text, direction }: Piece,
  { sizePoints, trackingPoints = 0 }: TextStyle,
  x: number,
  baseline: number,
  wordOf: (text: string) => Word,
): string[] {
  const operators: string[] = [];
  const scale = sizePoints / THOUSANDTHS;
  let glyphs = '';
  let start = x;
  let end = x;
  const show = (from: number, dy: number, shown: string) => {
    // pdfkit turns the page upside down, so that y grows downward. This matrix turns the letters back.
    if (shown !== '') operators.push(`1 0 0 -1 ${figure(from)} ${figure(baseline - dy * scale)} Tm [${shown}] TJ`);
  };
  for (const part of drawnParts(text, direction)) {
    const word = wordOf(part);
    if (word.isPlain) {
      glyphs += word.runs[0]?.glyphs ?? '';
    } else {
      show(start, 0, glyphs);
      for (const run of word.runs) show(end + run.dx * scale, run.dy, run.glyphs);
      glyphs = '';
    }
    end += word.advance * scale + word.glyphCount * trackingPoints;
    if (!word.isPlain) start = end;
  }
  show(start, 0, glyphs);
  return operators;
}

function encoded(font: EmbeddedFont, text: string, direction: Direction): Word {
  const [glyphs, positions] = font.encode(text, direction === 'rtl' ? RIGHT_TO_LEFT_FEATURES : undefined);
  const runs: Run[] = [];
  let advance = 0;
  let isOpen = false;
  positions.forEach(({ xAdvance, advanceWidth, xOffset, yOffset }, index) => {
    const isMoved = xOffset !== 0 || yOffset !== 0;
    const adjustment = figure(advanceWidth - xAdvance);
    const glyph = `<${glyphs[index] ?? ''}>${adjustment === 0 ? '' : adjustment}`;
    const last = runs.at(-1);
    if (isOpen && !isMoved && last) {
      runs[runs.length - 1] = { ...last, glyphs: last.glyphs + glyph };
    } else {
      runs.push({ dx: advance + xOffset, dy: yOffset, glyphs: glyph });
    }
    isOpen = !isMoved;
    advance += xAdvance;
  });
  const isPlain = runs.length <= 1 && runs.every(({ dx, dy }) => dx === 0 && dy === 0);
  return { runs: runs.map(joined), isPlain, advance, glyphCount: glyphs.length };
}

/** `<0001><0002>` becomes `<00010002>`. */
function joined(run: Run): Run {
  return { ...run, glyphs: run.glyphs.replaceAll('><', '') };
}

/** Rounded, because more digits would not show. */
function figure(value: number): number {
  return Math.round(value * THOUSANDTHS) / THOUSANDTHS;
}

const CHANNELS = /[0-9a-f]{2}/g;

/** `#rrggbb` as three numbers from 0 to 1. */
const rgb = memoized((colour: string) =>
  (colour.match(CHANNELS) ?? []).map((channel) => figure(Number.parseInt(channel, 16) / 255)).join(' '),
);
