import { fault, Problem } from '#shared/domain/problems.ts';
import { revised } from '#shared/domain/revised.ts';
import type { Role } from '#shared/domain/role.ts';
import { foldEmail } from '#shared/domain/text.ts';
import type { Invitation } from './invitation.ts';

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
  /** How many people who sign in are linked to the user. */
  readonly signIns: number;
  /** Each link names the one that it was made in. To raise it ends all links at once. */
  readonly linkGeneration: number;
  /** The open one. */
  readonly invitation: Invitation | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type UserDraft = Pick<User, 'name' | 'role'> & Partial<Pick<User, 'email' | 'timeZone'>>;

export function newUser(draft: UserDraft, id: string, now: Date): User {
  const createdAt = now.toISOString();
  const { email = null, timeZone = null } = draft;
  const unlinked = { signIns: 0, linkGeneration: 0, invitation: null };
  return { ...draft, email, timeZone, id, status: 'active', ...unlinked, createdAt, updatedAt: createdAt };
}

export type UserChanges = Partial<Pick<User, 'name' | 'email' | 'role' | 'timeZone'>>;

/** Whoever signed in by another email need not be who has this one. @throws Problem `user_removed` */
export function reviseUser<U extends User>(user: U, changes: UserChanges, now: Date): U {
  assertActive(user);
  const { email = user.email } = changes;
  const isSame = foldEmail(email ?? '') === foldEmail(user.email ?? '');
  return revised(user, { ...user, ...changes, ...(isSame ? {} : unlinked(user)) }, now);
}

/** @throws Problem `user_removed` */
export function withdrawUser<U extends User>(user: U, now: Date): U {
  assertActive(user);
  return { ...user, ...unlinked(user), status: 'removed', updatedAt: now.toISOString() };
}

const unlinked = (user: User) => ({ ...endedLinks(user), invitation: null });

const endedLinks = ({ linkGeneration }: User) => ({ signIns: 0, linkGeneration: linkGeneration + 1 });

/** The open invitation stays. */
export function endSignIns<U extends User>(user: U, now: Date): U {
  return user.signIns === 0 ? user : { ...user, ...endedLinks(user), updatedAt: now.toISOString() };
}

/** @throws Problem `user_removed` */
export function inviteUser<U extends User>(user: U, invitation: Invitation): U {
  assertActive(user);
  return { ...user, invitation };
}

/** @param isLinked whether it is who accepts the invitation already */
export function acceptedBy<U extends User>(user: U, isLinked: boolean): U {
  return { ...user, invitation: null, signIns: user.signIns + (isLinked ? 0 : 1) };
}

function assertActive({ status }: User): void {
  if (status === 'removed') throw new Problem('user_removed', { detail: 'The user was removed before.' });
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

export function lastAdmin(): Problem {
  return new Problem('last_admin', { detail: 'This is the last active admin: make another user an admin first.' });
}
