/** What the users of an organization work with, and on. */

export const TRACKER = '/v1/work/tracker';

/** Of few months, so that entries of several users meet on the pages of the ledger, and of two years. */
export const DAYS = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-20', '2027-01-01'];

/**
 * Kinds of resources that are made, changed and deleted alike; `mark` is the member with the text that they are
 * recognized by.
 */
export const KINDS = [
  { kind: 'product', path: '/products', mark: 'name', isChangeable: true },
  { kind: 'client', path: '/clients', mark: 'name', isChangeable: true },
  { kind: 'project', path: `${TRACKER}/projects`, mark: 'name', isChangeable: true },
  { kind: 'entry', path: `${TRACKER}/entries`, mark: 'description', isChangeable: true },
  { kind: 'key', path: '/v1/api-keys', mark: 'name', isChangeable: false },
] as const;

export type Kind = (typeof KINDS)[number];

/** Separates a text that never changes from what changes say. */
export const CHANGE = '~';

export const baseOf = (mark: string) => mark.split(CHANGE)[0] ?? '';

/** What all users of an organization work with, made before anything fails. */
export interface Workplace {
  readonly projectIds: readonly string[];
  readonly clientIds: readonly string[];
}
