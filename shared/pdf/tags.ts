/** A screen reader reads the page by this tree. Its elements are in the order of their first marks. */
export interface Tag {
  readonly role: 'H1' | 'H2' | 'P' | 'Div' | 'Table' | 'TR' | 'TH' | 'TD';
  readonly parent: Tag | null;
  readonly scope?: 'Column' | 'Row';
}

/** A mark outside the tree: decoration, or repeated on every page. */
export type Artifact = 'Layout' | 'Pagination';

export const heading = (role: 'H1' | 'H2'): Tag => ({ role, parent: null });

export const paragraph = (parent: Tag | null = null): Tag => ({ role: 'P', parent });

export const group = (): Tag => ({ role: 'Div', parent: null });

export const table = (): Tag => ({ role: 'Table', parent: null });

export const row = (parent: Tag): Tag => ({ role: 'TR', parent });

export const cell = (parent: Tag): Tag => ({ role: 'TD', parent });

export const columnHead = (parent: Tag): Tag => ({ role: 'TH', parent, scope: 'Column' });

export const rowHead = (parent: Tag): Tag => ({ role: 'TH', parent, scope: 'Row' });
