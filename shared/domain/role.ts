import { Problem } from './problems.ts';

/** What a user may do. The scopes of a key limit it further. */
export const ROLES = ['admin', 'member'] as const;

export type Role = (typeof ROLES)[number];

interface Actor {
  readonly userId: string;
  readonly role: Role;
}

/** @throws Problem `admin_required` */
export function assertAdmin({ role }: Pick<Actor, 'role'>): void {
  if (role === 'admin') return;
  throw new Problem('admin_required', { detail: 'Only an admin of the organization may do this.' });
}

/** @param owner the user that it belongs to @throws Problem `not_yours` */
export function assertYours({ role, userId }: Actor, owner: unknown): void {
  if (role === 'admin' || owner === userId) return;
  throw new Problem('not_yours', { detail: 'It belongs to another user, and only an admin may change it.' });
}
