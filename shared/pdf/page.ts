import type { Artifact, Tag } from './tags.ts';
import type { Line, TextStyle } from './typesetter.ts';

/** An A4 page before it is drawn. Lengths are in points from the upper left corner. */

interface TextMark {
  readonly kind: 'text';
  readonly line: Line;
  readonly x: number;
  readonly baseline: number;
}

interface RuleMark {
  readonly kind: 'rule';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly thickness: number;
  readonly colour: string;
}

interface BadgeMark {
  readonly kind: 'badge';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly colour: string;
}

/** A large slanted word. It lies behind everything else if it comes first. */
interface WatermarkMark {
  readonly kind: 'watermark';
  readonly line: Line;
}

export type Mark = (TextMark | RuleMark | BadgeMark | WatermarkMark) & {
  readonly tag?: Tag | Artifact;
};

export type Page = readonly Mark[];

export const PAGE_WIDTH = 595.28;
export const PAGE_HEIGHT = 841.89;

export const LEFT = 54;
export const RIGHT = PAGE_WIDTH - LEFT;
export const CONTENT_WIDTH = RIGHT - LEFT;
export const TOP = 56;
export const BOTTOM = PAGE_HEIGHT - 72;

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

export function rule(y: number, thickness: number, colour: string, x = LEFT, width = CONTENT_WIDTH): Mark {
  return { kind: 'rule', x, y, width, thickness, colour };
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
