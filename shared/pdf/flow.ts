import { BOTTOM, type Mark, type Page, TOP } from './page.ts';

/** Places items one below the other, and begins a new page when one is full. */
export interface Flow {
  readonly pages: readonly Page[];
  /** Height left on the page */
  readonly room: number;
  /** Height that a page has below its head */
  readonly pageRoom: number;
  /** @param head the head of the pages after this one */
  continueWith(head: PageHead): void;
  /** What does not fit on the page goes to the next one. @param marks are told where they begin */
  place(height: number, marks: (y: number) => readonly Mark[]): void;
  /** Begins a page if less than this height is left, unless even a whole page has less. */
  ensure(height: number): void;
  skip(height: number): void;
  /** Each column begins here and goes on over as many pages as it needs. What comes next is below the longest. */
  sideBySide(columns: readonly (() => void)[]): void;
}

export interface PageHead {
  readonly height: number;
  marks(y: number): readonly Mark[];
}

export const NO_HEAD: PageHead = { height: 0, marks: () => [] };

interface Place {
  readonly page: number;
  readonly y: number;
}

export function createFlow(): Flow {
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
      return BOTTOM - at.y;
    },
    get pageRoom() {
      return BOTTOM - TOP - head.height;
    },
    continueWith: (next) => {
      head = next;
    },
    ensure: (height) => {
      if (height > BOTTOM - at.y && at.y > top && height <= BOTTOM - TOP - head.height) breakPage();
    },
    place: (height, marks) => {
      if (height > BOTTOM - at.y && at.y > top) breakPage();
      pages[at.page]?.push(...marks(at.y));
      skip(height);
    },
    skip,
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
