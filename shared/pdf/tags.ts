/** A screen reader reads the page by this tree. Its elements are in the order of their first marks. */
export interface Tag {
  readonly role: 'H1' | 'H2' | 'H3' | 'P' | 'Link' | 'Figure' | 'Div' | 'Table' | 'TR' | 'TH' | 'TD';
  readonly parent: Tag | null;
  readonly scope?: 'Column' | 'Row';
  readonly link?: Link;
  readonly figure?: Figure;
}

export interface Link {
  readonly url: string;
  /** Tells those who do not see the page where it leads. */
  readonly meaning: string;
}

export interface Figure {
  /** Tells those who do not see it what it shows. */
  readonly meaning: string;
  /** As lengths of a page are: left, top, right and bottom */
  readonly box: readonly [number, number, number, number];
}

/** A mark outside the tree: decoration, or repeated on every page. */
export type Artifact = 'Layout' | 'Pagination';

export const heading = (role: 'H1' | 'H2' | 'H3'): Tag => ({ role, parent: null });

export const paragraph = (parent: Tag | null = null): Tag => ({ role: 'P', parent });

/** It ends with its only mark. */
export const linkTo = (link: Link): Tag => ({ role: 'Link', parent: paragraph(), link });

export const figureOf = (figure: Figure): Tag => ({ role: 'Figure', parent: null, figure });

export const group = (): Tag => ({ role: 'Div', parent: null });

export const table = (): Tag => ({ role: 'Table', parent: null });

export const row = (parent: Tag): Tag => ({ role: 'TR', parent });

export const cell = (parent: Tag): Tag => ({ role: 'TD', parent });

export const columnHead = (parent: Tag): Tag => ({ role: 'TH', parent, scope: 'Column' });

export const rowHead = (parent: Tag): Tag => ({ role: 'TH', parent, scope: 'Row' });
