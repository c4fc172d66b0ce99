import { readListings } from '#shared/data/keys/api-keys.ts';
import { deleteLeftovers, endOf, ITEMS_OF_A_KEY } from '#shared/data/keys/revocation.ts';
import { readStoredRoster, rosterPut } from '#shared/data/keys/roster.ts';
import { ROOM_BESIDE_A_USER, type StoredUser, saveUser } from '#shared/data/organization/users.ts';
import type { Write } from '#shared/data/table/transaction.ts';
import { endWrites, findRunningSession, noneRunning } from '#shared/data/tracker/timers.ts';
import { withoutKeys } from '#shared/domain/keys/roster.ts';
import { withdrawUser } from '#shared/domain/organization/users.ts';
import { endSession } from '#shared/domain/tracker/timer-end.ts';

/**
 * One transaction ends the user, its keys and its running timer. A function that holds a lease of a key's tokens learns
 * of it with its next lease.
 *
 * @throws Problem `user_removed`, `last_admin`; ConditionFailed
 */
export async function withdraw(
  organizationId: string,
  user: StoredUser,
  now: Date,
  others: readonly Write[],
): Promise<void> {
  const removed = withdrawUser(user, now);
  const owner = { organizationId, userId: user.id };
  const [roster, running] = await Promise.all([readStoredRoster(organizationId), findRunningSession(owner)]);
  const ids = roster.keys.map(({ id }) => id);
  const listings = (await readListings(organizationId, ids.sort().reverse())).filter(
    ({ userId }) => userId === user.id,
  );
  const gone = new Set(listings.map(({ id }) => id));
  const ended = [
    await rosterPut(organizationId, withoutKeys(roster.keys, gone), roster),
    ...(running ? endWrites(running, endSession(running, 'stopped', now)) : [noneRunning(owner)]),
  ];
  const ends = listings.map((key) => endOf(key, roster.keys, gone));
  const room = Math.floor((ROOM_BESIDE_A_USER - ended.length - others.length) / ITEMS_OF_A_KEY);
  await saveUser(organizationId, user, removed, [...ended, ...ends.slice(0, room).flat(), ...others]);
  await deleteLeftovers(organizationId, async () => ends.slice(room));
}
