import LineBreaker from 'linebreak';
import { type Level, levelsOf } from './bidi.ts';
import { createFace, type Direction, type Face } from './face.ts';
import { type FontFamily, familiesFor, type HanStyle, SANS, type Weight } from './font-families.ts';
import { openFont } from './open-font.ts';

/** Text within which a line may not break, in one font and one direction, with the spaces after it. */
export interface Atom {
  readonly text: string;
  readonly look: Look;
  readonly level: Level;
  readonly mayBreakAfter: boolean;
}

/** The font of a character in one weight. */
interface Look {
  readonly face: Face;
  /** True if the font has no bold face and so is drawn bolder */
  readonly emboldened: boolean;
}

export interface Atomizer {
  /** @param text one paragraph, as {@link printable} returns it */
  atomsOf(text: string, weight: Weight): Atom[];
  /** @returns the atom in pieces of one visible character each, for a word wider than a line */
  charactersOf(atom: Atom): Atom[];
}

export const directionOf = (level: Level): Direction => (level % 2 === 1 ? 'rtl' : 'ltr');

/** Most text has only these characters. They need no rules of direction and no other font. */
const PLAIN = /^[ -~\u00a0-\u024f]*$/;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Scripts without spaces between words. Line breaking leaves them alone, because only a dictionary finds the words. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export function createAtomizer(hanStyle: HanStyle): Atomizer {
  const lookOf = createWardrobe(hanStyle);
  return {
    atomsOf: (text, weight) => {
      const breaks = breaksOf(text);
      if (PLAIN.test(text)) return cut(text, breaks, lookOf('a', weight));
      const levels = levelsOf(text);
      const atoms: Atom[] = [];
      for (const { segment, index } of characters.segment(text)) {
        const level = levels[index] ?? 0;
        const mayBreakAfter = breaks.has(index + segment.length);
        append(atoms, { text: segment, look: lookOf(segment, weight), level, mayBreakAfter });
      }
      return atoms;
    },
    charactersOf: (atom) =>
      Array.from(characters.segment(atom.text), ({ segment }) => ({ ...atom, text: segment, mayBreakAfter: true })),
  };
}

function cut(text: string, breaks: ReadonlySet<number>, look: Look): Atom[] {
  const ends = [...breaks];
  return ends.map((end, index) => ({
    text: text.slice(ends[index - 1] ?? 0, end),
    look,
    level: 0,
    mayBreakAfter: true,
  }));
}

function append(atoms: Atom[], next: Atom): void {
  const last = atoms.at(-1);
  if (last && !last.mayBreakAfter && last.look === next.look && last.level === next.level) {
    atoms[atoms.length - 1] = { ...next, text: last.text + next.text };
  } else {
    atoms.push(next);
  }
}

/** Where a line may end (Unicode Standard Annex 14), in rising order. The last place is the end of the text. */
function breaksOf(text: string): Set<number> {
  const breaks = new Set<number>();
  const breaker = new LineBreaker(text);
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) breaks.add(next.position);
  return UNSPACED.test(text) ? new Set([...breaks, ...wordEndsOf(text)].sort((one, other) => one - other)) : breaks;
}

function wordEndsOf(text: string): number[] {
  return [...words.segment(text)]
    .map(({ segment, index }) => index + segment.length)
    .filter((end) => UNSPACED.test(text.charAt(end - 1)) && UNSPACED.test(text.charAt(end)));
}

/** Finds the font of each character, and opens each font once per document. */
function createWardrobe(hanStyle: HanStyle): (character: string, weight: Weight) => Look {
  const chosen = new Map<string, Look>();
  const looks = new Map<string, Look>();
  const faces = new Map<string, Face>();

  const faceOf = (file: string) => {
    const known = faces.get(file);
    if (known) return known;
    const face = createFace(file, openFont(file));
    faces.set(file, face);
    return face;
  };

  const lookOf = (family: FontFamily, weight: Weight): Look => {
    const key = `${weight} ${family.name}`;
    const known = looks.get(key);
    if (known) return known;
    const isBold = weight === 'semibold';
    const look = {
      face: faceOf((isBold && family.semibold) || family.regular),
      emboldened: isBold && family.semibold === null,
    };
    looks.set(key, look);
    return look;
  };

  return (character, weight) => {
    const key = `${weight} ${character}`;
    const known = chosen.get(key);
    if (known) return known;
    const family = familyOf(character, hanStyle, (candidate) => lookOf(candidate, 'regular').face);
    const look = lookOf(family, weight);
    chosen.set(key, look);
    return look;
  };
}

/** Joiners and selectors ask for other shapes. A font can show the character without having them. */
const SHAPERS = /\u200c|\u200d|[\ufe00-\ufe0f]|[\u{e0020}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu;

/** The first font that has the whole character with its marks; else the first that has its base; else the main font. */
function familyOf(character: string, hanStyle: HanStyle, faceOf: (family: FontFamily) => Face): FontFamily {
  const [base, ...marks] = Array.from(character.replace(SHAPERS, ''), (part) => part.codePointAt(0) ?? 0);
  if (base === undefined) return SANS;
  const families = familiesFor(character, hanStyle);
  return (
    families.find((family) => [base, ...marks].every((part) => faceOf(family).has(part))) ??
    families.find((family) => faceOf(family).has(base)) ??
    SANS
  );
}
