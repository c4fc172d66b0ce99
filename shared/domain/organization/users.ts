import { fault, type Problem } from '#shared/domain/problems.ts';
import type { Role } from '#shared/domain/role.ts';

/** A removed user cannot act any more. What it made keeps its id. */
export const USER_STATUSES = ['active', 'removed'] as const;

export interface User {
  readonly id: string;
  /** Unique among the active users of the organization, whatever its case. */
  readonly name: string;
  /** As unique as the name, where there is one. */
  readonly email: string | null;
  readonly role: Role;
  /** IANA name; null: the organization's. */
  readonly timeZone: string | null;
  readonly status: (typeof USER_STATUSES)[number];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type UserDraft = Pick<User, 'name' | 'role'> & Partial<Pick<User, 'email' | 'timeZone'>>;

export function newUser(draft: UserDraft, id: string, now: Date): User {
  const createdAt = now.toISOString();
  const { email = null, timeZone = null } = draft;
  return { ...draft, email, timeZone, id, status: 'active', createdAt, updatedAt: createdAt };
}

export const MAX_USERS = 1_000;

/** @param path of the member that would make the user */
export function tooManyUsers(path: string): Problem {
  return fault('too_many_users', path, `An organization has at most ${MAX_USERS} active users.`);
}

export function nameTaken(): Problem {
  return fault('user_name_taken', 'name', 'Another user of the organization has this name.');
}

export function emailTaken(): Problem {
  return fault('user_email_taken', 'email', 'Another user of the organization has this email.');
}
