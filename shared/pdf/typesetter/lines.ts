import { type Atom, createAtomizer, directionOf, joined } from './atoms.ts';
import { inVisualOrder } from './bidi.ts';
import type { Direction, Face } from './face.ts';
import type { HanStyle, Weight } from './font-families.ts';
import { printable } from './printable.ts';

/** Text in lines, each from left to right in the fonts that its characters need. Lengths are in points. */

export interface TextStyle {
  readonly sizePoints: number;
  readonly leadingPoints: number;
  readonly weight: Weight;
  readonly colour: string;
  /** Space after each character; only for left-to-right text */
  readonly trackingPoints?: number;
}

export interface Piece {
  readonly text: string;
  readonly face: Face;
  readonly direction: Direction;
  readonly x: number;
}

/** The pieces are in reading order. */
export interface Line {
  readonly pieces: readonly Piece[];
  readonly style: TextStyle;
  readonly width: number;
  /** The next line goes on without a space. */
  readonly endsInWord: boolean;
}

export interface Typesetter {
  /** At least one line. Only a word wider than a line is broken. */
  lines(text: string, style: TextStyle, widthPoints: number): Line[];
  line(text: string, style: TextStyle): Line;
  /** One line, which ends in an ellipsis if it would be wider. */
  shortened(text: string, style: TextStyle, widthPoints: number): Line;
}

export function createTypesetter(hanStyle: HanStyle): Typesetter {
  const { atomsOf, charactersOf } = createAtomizer(hanStyle);

  const lines = (text: string, style: TextStyle, widthPoints: number): Line[] =>
    printable(text)
      .split('\n')
      .flatMap((paragraph) =>
        fill(atomsOf(paragraph, style.weight), style, widthPoints, charactersOf).map((atoms, index, { length }) =>
          setLine(atoms, style, index < length - 1 && !atoms.at(-1)?.text.endsWith(' ')),
        ),
      );

  const line = (text: string, style: TextStyle): Line =>
    setLine(atomsOf(printable(text).replaceAll('\n', ' '), style.weight), style);

  return {
    lines,
    line,
    shortened: (text, style, widthPoints) => {
      const whole = line(text, style);
      if (whole.width <= widthPoints) return whole;
      const ellipsis = line('…', style);
      const [first = ellipsis] = lines(text.replaceAll('\n', ' '), style, widthPoints - ellipsis.width);
      return append(first, ellipsis);
    },
  };
}

/** Fills greedily, which is good enough for short paragraphs. */
function fill(
  atoms: readonly Atom[],
  style: TextStyle,
  widthPoints: number,
  charactersOf: (atom: Atom) => Atom[],
): Atom[][] {
  const filled: Atom[][] = [];
  let current: Atom[] = [];
  let used = 0;
  const take = (word: readonly Atom[]): void => {
    const inkEnd = used + inkWidthOf(word, style);
    if (current.length > 0 && inkEnd > widthPoints) {
      filled.push(current);
      current = [];
      used = 0;
    }
    current.push(...word);
    used += widthOf(word, style);
  };
  for (const word of wordsOf(atoms)) {
    const fits = inkWidthOf(word, style) <= widthPoints;
    if (fits) take(word);
    else for (const character of word.flatMap(charactersOf)) take([character]);
  }
  return [...filled, current];
}

function wordsOf(atoms: readonly Atom[]): Atom[][] {
  const words: Atom[][] = [];
  let current: Atom[] = [];
  for (const atom of atoms) {
    current.push(atom);
    if (atom.mayBreakAfter) {
      words.push(current);
      current = [];
    }
  }
  return current.length > 0 ? [...words, current] : words;
}

function setLine(logical: readonly Atom[], style: TextStyle, endsInWord = false): Line {
  const isOnePiece = (last: Atom, next: Atom) => last.face === next.face && last.level === next.level;
  const atoms = joined(withoutEndSpaces(logical), isOnePiece);
  const starts = new Map<Atom, number>();
  let width = 0;
  for (const atom of inVisualOrder(atoms)) {
    starts.set(atom, width);
    width += widthOf([atom], style);
  }
  const pieces = atoms.map((atom) => ({
    text: atom.text,
    face: atom.face,
    direction: directionOf(atom.level),
    x: starts.get(atom) ?? 0,
  }));
  return { pieces, style, width, endsInWord };
}

/** A page needs no space at the end of a line, but its text does (ISO 32000-1, 14.8.2.5). */
export function withWordBreak(line: Line): Line {
  const last = line.pieces.at(-1);
  if (!last || line.endsInWord) return line;
  const { text, face, direction, x } = last;
  const space = face.widthOf(' ', direction) * line.style.sizePoints;
  const lengthened = { ...last, text: `${text} `, x: direction === 'rtl' ? x - space : x };
  return { ...line, pieces: [...line.pieces.slice(0, -1), lengthened] };
}

function withoutEndSpaces(atoms: readonly Atom[]): Atom[] {
  const last = atoms.at(-1);
  if (!last) return [];
  const text = last.text.trimEnd();
  const rest = atoms.slice(0, -1);
  return text === '' ? withoutEndSpaces(rest) : [...rest, { ...last, text }];
}

function append(line: Line, end: Line): Line {
  const moved = end.pieces.map((piece) => ({ ...piece, x: piece.x + line.width }));
  return { ...end, pieces: [...line.pieces, ...moved], width: line.width + end.width };
}

function widthOf(atoms: readonly Atom[], { sizePoints, trackingPoints = 0 }: TextStyle): number {
  return atoms.reduce(
    (width, { text, face, level }) =>
      width + face.widthOf(text, directionOf(level)) * sizePoints + trackingPoints * text.length,
    0,
  );
}

function inkWidthOf(atoms: readonly Atom[], style: TextStyle): number {
  return widthOf(withoutEndSpaces(atoms), style);
}
