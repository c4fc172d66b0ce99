import { findUser, insertUser } from '#shared/data/organization/users.ts';
import type { Write } from '#shared/data/table/transaction.ts';
import { newUser } from '#shared/domain/organization/users.ts';
import { Problem } from '#shared/domain/problems.ts';

/** Whose a new key is. */
export interface Holder {
  readonly userId: string;
  /** Makes a new user in the transaction that writes the key. */
  readonly writeWithUser?: (items: readonly Write[]) => Promise<void>;
}

interface Making {
  readonly newId: () => string;
  readonly now: Date;
}

/**
 * The first mention of a name makes the user, an admin, with the key.
 *
 * @param issue checks that the caller may make a key of this holder, and that there is room for one
 * @throws Problem `too_many_users`
 */
export async function forUserNamed<Issued>(
  organizationId: string,
  name: string,
  making: Making,
  issue: (holder: Holder) => Promise<Issued>,
): Promise<Issued> {
  try {
    return await issue(await holderNamed(organizationId, name, making));
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'user_name_taken')) throw error;
    // Another first mention has made it at the same moment.
    return forUserNamed(organizationId, name, making, issue);
  }
}

async function holderNamed(organizationId: string, name: string, { newId, now }: Making): Promise<Holder> {
  const found = await findUser(organizationId, name);
  if (found) return { userId: found.id };
  const user = newUser({ name, role: 'admin' }, newId(), now);
  return { userId: user.id, writeWithUser: (items) => insertUser(organizationId, user, 'user', items) };
}
