import { fault, Problem, unauthenticated } from '#shared/domain/problems.ts';
import type { ApiKey } from './api-key.ts';

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
  if (living.length >= MAX_API_KEYS) throw tooManyKeys();
  const { id, expiresAt } = key;
  return [...living, { id, createdByKeyId, expiresAt }];
}

function tooManyKeys(): Problem {
  return fault('too_many_api_keys', '', `An organization has at most ${MAX_API_KEYS} API keys: revoke some first.`);
}

/** Keys that the gone ones made, and are not gone themselves, live on under the makers of these. */
export function withoutKeys(roster: Roster, gone: ReadonlySet<string>): Roster {
  const makers = new Map(roster.map(({ id, createdByKeyId }) => [id, createdByKeyId]));
  const livingMaker = (maker: string | null): string | null =>
    maker !== null && gone.has(maker) ? livingMaker(makers.get(maker) ?? null) : maker;
  return roster
    .filter(({ id }) => !gone.has(id))
    .map((key) => ({ ...key, createdByKeyId: livingMaker(key.createdByKeyId) }));
}

/** Otherwise a key that leaked could outlive the one that it was made with. @throws Problem `own_family` */
export function assertOutside(family: ReadonlySet<string>, keyId: string | null): void {
  if (keyId === null || !family.has(keyId)) return;
  throw new Problem('own_family', {
    detail: 'Your API key is this one, or comes from it, and so cannot keep what it made.',
  });
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
