import { readRoster } from '#shared/data/keys/roster.ts';
import { findUser, insertUser } from '#shared/data/organization/users.ts';
import type { Write } from '#shared/data/table/transaction.ts';
import { assertHolder, type Principal } from '#shared/domain/keys/api-key.ts';
import { assertRoom } from '#shared/domain/keys/roster.ts';
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
 * @throws Problem `insufficient_scope`, `too_many_api_keys`, `too_many_users`
 */
export async function forUserNamed<Issued>(
  name: string,
  caller: Principal,
  making: Making,
  issue: (holder: Holder) => Promise<Issued>,
): Promise<Issued> {
  try {
    return await issue(await holderNamed(name, caller, making));
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'user_name_taken')) throw error;
    // Another first mention has made it at the same moment.
    return forUserNamed(name, caller, making, issue);
  }
}

async function holderNamed(name: string, caller: Principal, { newId, now }: Making): Promise<Holder> {
  const { organizationId } = caller;
  const found = await findUser(organizationId, name);
  if (found) return { userId: found.id };
  assertHolder(undefined, caller);
  assertRoom(await readRoster(organizationId), now);
  const user = newUser({ name, role: 'admin' }, newId(), now);
  return { userId: user.id, writeWithUser: (items) => insertUser(organizationId, user, 'user', items) };
}
