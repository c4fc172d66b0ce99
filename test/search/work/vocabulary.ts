/** The words of work: what callers make and change, and when. */

export const TRACKER = '/v1/work/tracker';
export const ENTRIES = `${TRACKER}/entries`;
export const PROJECTS = `${TRACKER}/projects`;
export const REMOTE = `${TRACKER}/remote`;
export const INVOICES = '/invoices';

/** They are of few months, so that entries of several users meet on the pages of the ledger, and of two years. */
export const DAYS = ['2026-10-31', '2026-11-01', '2026-11-20', '2027-01-01'];

/** All of the days. */
export const RANGE = { dateFrom: '2026-10-01', dateTo: '2027-01-31' };

/**
 * Kinds of resources that are made, changed and deleted alike; `mark` is the member with the text that they are
 * recognized by. A row is an entry that imports make and may change.
 */
export const KINDS = {
  product: { path: '/products', mark: 'name' },
  client: { path: '/clients', mark: 'name' },
  project: { path: PROJECTS, mark: 'name' },
  key: { path: '/v1/api-keys', mark: 'name' },
  entry: { path: ENTRIES, mark: 'description' },
  row: { path: ENTRIES, mark: 'description' },
} as const;

export type Kind = keyof typeof KINDS;

/** Separates a text that never changes from what changes say. */
export const CHANGE = '~';

export const baseOf = (mark: unknown) => String(mark).split(CHANGE)[0] ?? '';
