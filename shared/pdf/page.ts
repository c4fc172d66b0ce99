import type { Picture } from './picture.ts';
import type { Artifact, Tag } from './tags.ts';
import type { Line, TextStyle } from './typesetter/typesetter.ts';

/** A page before it is drawn. Lengths are in points from the upper edge of the paper and its left margin. */

interface TextMark {
  readonly kind: 'text';
  readonly line: Line;
  readonly x: number;
  readonly baseline: number;
}

/** A rectangle, or one with round ends. */
interface BoxMark {
  readonly kind: 'rule' | 'badge';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly colour: string;
}

/** A large slanted word, which is a shape and no text. It lies behind everything else if it comes first. */
interface WatermarkMark {
  readonly kind: 'watermark';
  readonly line: Line;
}

export interface PictureMark {
  readonly kind: 'picture';
  readonly picture: Picture;
  readonly x: number;
  readonly y: number;
}

export type Mark = (TextMark | BoxMark | WatermarkMark | PictureMark) & {
  /** Absent for decoration */
  readonly tag?: Tag | Artifact;
};

export type Page = readonly Mark[];

/** On any paper: the margins take the rest. */
export const CONTENT_WIDTH = 487.28;
export const LEFT = 0;
export const RIGHT = LEFT + CONTENT_WIDTH;
/** Of the seller and the totals, 3 mm beside the window of an envelope */
export const SECOND_COLUMN = LEFT + 236;
export const TOP = 50;

/** The footer of the page is below. */
export function bottomOf({ height }: { readonly height: number }): number {
  return height - 66;
}

/** Height of a capital letter, in ems, by which a line is centred in its height. */
const CAP_HEIGHT = 0.714;

export function baselineOf({ leadingPoints, sizePoints }: TextStyle): number {
  return (leadingPoints + CAP_HEIGHT * sizePoints) / 2;
}

/** @param y the upper edge of the line's height */
export function textFromLeft(line: Line, x: number, y: number): Mark {
  return { kind: 'text', line, x, baseline: y + baselineOf(line.style) };
}

export function textToRight(line: Line, right: number, y: number): Mark {
  return textFromLeft(line, right - line.width, y);
}

export function rule(y: number, height: number, colour: string, x = LEFT, width = CONTENT_WIDTH): Mark {
  return { kind: 'rule', x, y, width, height, colour };
}

export function tagged(tag: Tag | Artifact, marks: readonly Mark[]): Mark[] {
  return marks.map((mark) => ({ ...mark, tag }));
}

export function stacked(lines: readonly Line[], x: number, y: number): Mark[] {
  let top = y;
  return lines.map((line) => {
    const mark = textFromLeft(line, x, top);
    top += line.style.leadingPoints;
    return mark;
  });
}

export function heightOf(lines: readonly Line[]): number {
  return lines.reduce((height, { style }) => height + style.leadingPoints, 0);
}
