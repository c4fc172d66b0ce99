import LineBreaker from 'linebreak';
import { memoized } from '#shared/runtime/memoized.ts';
import { type Level, levelsOf } from './bidi.ts';
import { createFace, type Direction, type Face } from './face.ts';
import { type FontFamily, familiesFor, type HanStyle, SANS, type Weight } from './font-families.ts';
import { openFont } from './open-font.ts';

/** Text within which a line may not break, in one font and one direction, with the spaces after it. */
export interface Atom {
  readonly text: string;
  readonly face: Face;
  readonly level: Level;
  readonly mayBreakAfter: boolean;
}

export interface Atomizer {
  atomsOf(text: string, weight: Weight): Atom[];
  charactersOf(atom: Atom): Atom[];
}

export const directionOf = (level: Level): Direction => (level % 2 === 1 ? 'rtl' : 'ltr');

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Scripts without spaces between words: only a dictionary finds where a line may break. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export function createAtomizer(hanStyle: HanStyle): Atomizer {
  const faceOf = fontChooser(hanStyle);
  const runsOf = memoized((weight: Weight) =>
    memoized((word: string) => {
      const runs = Array.from(characters.segment(word), ({ segment }) => ({
        text: segment,
        face: faceOf(weight)(segment),
      }));
      return joined(runs, isOneRun);
    }),
  );

  return {
    atomsOf: (text, weight) => {
      const levels = levelsOf(text);
      const atoms: Atom[] = [];
      let start = 0;
      for (const end of breaksOf(text)) {
        appendWord(atoms, runsOf(weight)(text.slice(start, end)), levels.subarray(start, end));
        start = end;
      }
      return atoms;
    },
    charactersOf: (atom) =>
      Array.from(characters.segment(atom.text), ({ segment }) => ({ ...atom, text: segment, mayBreakAfter: true })),
  };
}

interface Run {
  readonly text: string;
  readonly face: Face;
}

const SPACE = 0x20;

/** A space takes the font of the word before it, so that words and spaces are one run. */
function isOneRun({ face }: Run, next: Run): boolean {
  return face === next.face || (next.text === ' ' && face.has(SPACE));
}

/** Neighbours that belong together become one, which is otherwise like its first. */
export function joined<Part extends { readonly text: string }>(
  parts: readonly Part[],
  belong: (last: Part, next: Part) => boolean,
): Part[] {
  const result: Part[] = [];
  for (const next of parts) {
    const last = result.at(-1);
    if (last && belong(last, next)) result[result.length - 1] = { ...last, text: last.text + next.text };
    else result.push(next);
  }
  return result;
}

/** @param levels of each UTF-16 unit of the word */
function appendWord(atoms: Atom[], runs: readonly Run[], levels: Uint8Array): void {
  let index = 0;
  for (const run of runs) {
    const [level = 0, ...others] = levels.subarray(index, index + run.text.length);
    index += run.text.length;
    const mayBreakAfter = index === levels.length;
    if (others.every((other) => other === level)) atoms.push({ ...run, level, mayBreakAfter });
    else atoms.push(...inOneDirection(run, [level, ...others], mayBreakAfter));
  }
}

function inOneDirection({ text, face }: Run, levels: readonly Level[], mayBreakAfter: boolean): Atom[] {
  const characterAtoms = Array.from(characters.segment(text), ({ segment, index }) => {
    return { text: segment, face, level: levels[index] ?? 0, mayBreakAfter: false };
  });
  const atoms = joined(characterAtoms, (last, next) => last.level === next.level);
  return atoms.map((atom, index) => ({ ...atom, mayBreakAfter: mayBreakAfter && index === atoms.length - 1 }));
}

/** The positions at which a line may end (Unicode Standard Annex 14), in rising order, the end of the text included. */
function breaksOf(text: string): Set<number> {
  const breaks = new Set<number>();
  const breaker = new LineBreaker(text);
  let last = 0;
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    if (next.position - last > LONGEST_WORD) for (const end of partsOf(text, last, next.position)) breaks.add(end);
    breaks.add(next.position);
    last = next.position;
  }
  return UNSPACED.test(text) ? new Set([...breaks, ...wordEndsOf(text)].sort((one, other) => one - other)) : breaks;
}

/** No line holds more letters, and in some scripts the time to shape a word grows with its square. */
const LONGEST_WORD = 200;

function partsOf(text: string, start: number, end: number): number[] {
  const ends: number[] = [];
  let last = start;
  for (const { index } of characters.segment(text.slice(start, end))) {
    if (start + index - last < LONGEST_WORD) continue;
    last = start + index;
    ends.push(last);
  }
  return ends;
}

function wordEndsOf(text: string): number[] {
  return [...words.segment(text)]
    .map(({ segment, index }) => index + segment.length)
    .filter((end) => UNSPACED.test(text.charAt(end - 1)) && UNSPACED.test(text.charAt(end)));
}

function fontChooser(hanStyle: HanStyle): (weight: Weight) => (character: string) => Face {
  const faceOf = memoized((file: string) => createFace(file, openFont(file)));
  const regularOf = ({ regular }: FontFamily) => faceOf(regular);

  return memoized((weight: Weight) => {
    const ownOf = ({ regular, semibold }: FontFamily) => faceOf((weight === 'semibold' ? semibold : null) ?? regular);
    return memoized((character: string) => ownOf(familyOf(character, hanStyle, regularOf)));
  });
}

/** Joiners and selectors ask for other shapes. A font without them can still show the character. */
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
