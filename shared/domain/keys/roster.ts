import { fault, unauthenticated } from '#shared/domain/problems.ts';
import { type ApiKey, assertScope, type Principal } from './api-key.ts';

/** The live keys of an organization, with their makers. A key that is not on it was revoked or has expired. */

export type RosterKey = Pick<ApiKey, 'id' | 'createdByKeyId' | 'expiresAt'>;

export type Roster = readonly RosterKey[];

export const MAX_API_KEYS = 1_000;

export function livingAt(roster: Roster, now: Date): Roster {
  return roster.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now.getTime());
}

/** @throws Problem `unauthenticated` if the maker was just revoked */
export function withKey(roster: Roster, key: RosterKey, now: Date): Roster {
  const living = livingAt(roster, now);
  const { createdByKeyId } = key;
  if (createdByKeyId !== null && !living.some(({ id }) => id === createdByKeyId)) throw unauthenticated();
  assertRoom(living, now);
  const { id, expiresAt } = key;
  return [...living, { id, createdByKeyId, expiresAt }];
}

export function assertRoom(roster: Roster, now: Date): void {
  if (livingAt(roster, now).length < MAX_API_KEYS) return;
  throw fault('too_many_api_keys', '', `An organization has at most ${MAX_API_KEYS} API keys: revoke some first.`);
}

/** A key revokes others of its family, but none that it comes from. @throws Problem `insufficient_scope` */
export function assertRevocable(
  roster: Roster,
  key: RosterKey,
  { keyId, scopes }: Pick<Principal, 'keyId' | 'scopes'>,
): void {
  // An expired key may not be on the roster any more.
  const all = [...roster, key];
  if (keyId !== null) {
    const makers = makersOf(all, keyId);
    if (familyOf(all, makers.at(-1) ?? keyId).has(key.id) && !makers.includes(key.id)) return;
  }
  assertScope(scopes, 'organization:write');
}

/** The keys that a key comes from: its maker, that one's maker, and so on. */
function makersOf(roster: Roster, id: string): string[] {
  const maker = roster.find((key) => key.id === id)?.createdByKeyId;
  return maker ? [maker, ...makersOf(roster, maker)] : [];
}

/** The key, all keys that it made, those that these made, and so on. */
export function familyOf(roster: Roster, id: string): ReadonlySet<string> {
  const family = new Set([id]);
  // Iterating a Set also visits members added meanwhile.
  for (const maker of family) {
    for (const key of roster) if (key.createdByKeyId === maker) family.add(key.id);
  }
  return family;
}
