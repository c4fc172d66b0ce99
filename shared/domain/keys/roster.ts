import { fault, unauthenticated } from '#shared/domain/problems.ts';
import type { ApiKey } from './api-key.ts';

/**
 * The roster: which keys of an organization live, and which key made which. A key that is not on it is revoked or has
 * expired.
 */

export type RosterKey = Pick<ApiKey, 'id' | 'createdByKeyId' | 'expiresAt'>;

export type Roster = readonly RosterKey[];

export const MAX_API_KEYS = 1_000;

/** The roster without what has expired. */
export function livingAt(roster: Roster, now: Date): Roster {
  return roster.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now.getTime());
}

/**
 * The roster with a new key.
 *
 * @throws Problem `unauthenticated` if the key that makes it has just been revoked, `too_many_api_keys`
 */
export function withKey(roster: Roster, key: RosterKey, now: Date): Roster {
  const living = livingAt(roster, now);
  const { createdByKeyId } = key;
  if (createdByKeyId !== null && !living.some(({ id }) => id === createdByKeyId)) throw unauthenticated();
  assertRoom(living, now);
  const { id, expiresAt } = key;
  return [...living, { id, createdByKeyId, expiresAt }];
}

/** @throws Problem `too_many_api_keys` */
export function assertRoom(roster: Roster, now: Date): void {
  if (livingAt(roster, now).length < MAX_API_KEYS) return;
  throw fault('too_many_api_keys', '', `An organization has at most ${MAX_API_KEYS} API keys: revoke some first.`);
}

/** The ids of a key and of all keys that it made, those that these made, and so on. */
export function familyOf(roster: Roster, id: string): ReadonlySet<string> {
  const family = new Set([id]);
  // A set hands out what is added to it while it is gone through.
  for (const maker of family) {
    for (const key of roster) if (key.createdByKeyId === maker) family.add(key.id);
  }
  return family;
}
