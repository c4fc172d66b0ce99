/**
 * What a mark means, for those who do not see the page. Each tag is an element of the document's structure tree.
 * Elements stand there in the order in which their first marks are drawn, so that is the order of reading.
 */
export interface Tag {
  readonly role: 'H1' | 'H2' | 'P' | 'Div' | 'Table' | 'TR' | 'TH' | 'TD';
  /** Null: directly in the document */
  readonly parent: Tag | null;
  /** What a `TH` is the head of */
  readonly scope?: 'Column' | 'Row';
}

/** A mark that says nothing itself: it is for looks, or is on every page. */
export type Artifact = 'Layout' | 'Pagination';

export const heading = (role: 'H1' | 'H2'): Tag => ({ role, parent: null });

export const paragraph = (parent: Tag | null = null): Tag => ({ role: 'P', parent });

export const group = (): Tag => ({ role: 'Div', parent: null });

export const table = (): Tag => ({ role: 'Table', parent: null });

export const row = (parent: Tag): Tag => ({ role: 'TR', parent });

export const cell = (parent: Tag): Tag => ({ role: 'TD', parent });

export const columnHead = (parent: Tag): Tag => ({ role: 'TH', parent, scope: 'Column' });

export const rowHead = (parent: Tag): Tag => ({ role: 'TH', parent, scope: 'Row' });
