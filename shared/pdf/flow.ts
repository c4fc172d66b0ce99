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
}

export interface PageHead {
  readonly height: number;
  marks(y: number): readonly Mark[];
}

export const NO_HEAD: PageHead = { height: 0, marks: () => [] };

export function createFlow(): Flow {
  const pages: Mark[][] = [[]];
  let head = NO_HEAD;
  let top = TOP;
  let y = TOP;

  const breakPage = () => {
    pages.push([...head.marks(TOP)]);
    top = TOP + head.height;
    y = top;
  };

  return {
    pages,
    get room() {
      return BOTTOM - y;
    },
    get pageRoom() {
      return BOTTOM - TOP - head.height;
    },
    continueWith: (next) => {
      head = next;
    },
    ensure: (height) => {
      if (height > BOTTOM - y && y > top && height <= BOTTOM - TOP - head.height) breakPage();
    },
    place: (height, marks) => {
      if (height > BOTTOM - y && y > top) breakPage();
      pages.at(-1)?.push(...marks(y));
      y += height;
    },
    skip: (height) => {
      y += height;
    },
  };
}
