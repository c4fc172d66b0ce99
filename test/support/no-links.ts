import type { TimerLinks } from '#shared/domain/tracker/timer.ts';

/** What entries and sessions are shown beside, where none of it exists. */
export const NO_LINKS: TimerLinks = {
  projects: new Map(),
  clients: new Map(),
  deletedNames: new Map(),
  lockedThrough: null,
  users: new Map(),
  holds: new Map(),
};
