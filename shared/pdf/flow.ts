import { heightOf, type Mark, type Page, TOP, tagged, textFromLeft } from './page.ts';
import type { Tag } from './tags.ts';
import type { Line } from './typesetter/typesetter.ts';

/** Places items one below the other, and begins a new page when the last is full. */
export interface Flow {
  readonly pages: readonly Page[];
  readonly room: number;
  /** The height of a page below its head */
  readonly pageRoom: number;
  setHeadOfNextPages(head: PageHead): void;
  place(height: number, marks: (y: number) => readonly Mark[]): void;
  /** Begins a page if this height does not fit on the page, but fits on a whole one. */
  ensure(height: number): void;
  skip(height: number): void;
  /** Goes on at least so far below the upper edge of the paper. */
  skipTo(y: number): void;
  /** Every column begins here, and may continue on later pages. The flow continues below the longest. */
  sideBySide(columns: readonly (() => void)[]): void;
}

export interface PageHead {
  readonly height: number;
  marks(y: number): readonly Mark[];
}

export const NO_HEAD: PageHead = { height: 0, marks: () => [] };

export interface Block {
  readonly height: number;
  /** @param heightAfter room to keep on the page below the end of the block */
  place(flow: Flow, heightAfter: number): void;
}

export const NO_BLOCK: Block = { height: 0, place: () => undefined };

/** At least this many lines of a text stay together. */
export const LINES_TOGETHER = 3;

export function placeLines(flow: Flow, lines: readonly Line[], x: number, tag: Tag, heightAfter = 0): void {
  const lastTogether = Math.max(0, lines.length - LINES_TOGETHER);
  lines.forEach((line, index) => {
    if (index === lastTogether) flow.ensure(heightOf(lines.slice(index)) + heightAfter);
    flow.place(line.style.leadingPoints, (y) => tagged(tag, [textFromLeft(line, x, y)]));
  });
}

interface Place {
  readonly page: number;
  readonly y: number;
}

/** @param bottom the lower edge of a page's content */
export function createFlow(bottom: number): Flow {
  const pages: Mark[][] = [[]];
  let head = NO_HEAD;
  let top = TOP;
  let at: Place = { page: 0, y: TOP };

  const breakPage = () => {
    const page = at.page + 1;
    if (page === pages.length) pages.push([...head.marks(TOP)]);
    top = TOP + head.height;
    at = { page, y: top };
  };

  const skip = (height: number) => {
    at = { ...at, y: at.y + height };
  };

  return {
    pages,
    get room() {
      return bottom - at.y;
    },
    get pageRoom() {
      return bottom - TOP - head.height;
    },
    setHeadOfNextPages: (next) => {
      head = next;
    },
    ensure: (height) => {
      if (height > bottom - at.y && at.y > top && height <= bottom - TOP - head.height) breakPage();
    },
    place: (height, marks) => {
      if (height > bottom - at.y && at.y > top) breakPage();
      pages[at.page]?.push(...marks(at.y));
      skip(height);
    },
    skip,
    skipTo: (y) => skip(Math.max(0, y - at.y)),
    sideBySide: (columns) => {
      const start = at;
      const ends = columns.map((column) => {
        at = start;
        column();
        return at;
      });
      at = ends.reduce((one, other) => (isBelow(other, one) ? other : one), start);
    },
  };
}

function isBelow(one: Place, other: Place): boolean {
  return one.page > other.page || (one.page === other.page && one.y > other.y);
}
