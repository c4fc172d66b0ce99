import { fault, type Problem } from '#shared/domain/problems.ts';

export const MAX_USERS = 1_000;

export function tooManyUsers(): Problem {
  return fault('too_many_users', 'user', `An organization has at most ${MAX_USERS} users.`);
}
