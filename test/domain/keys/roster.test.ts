import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assertOutside,
  familyOf,
  livingAt,
  MAX_API_KEYS,
  type Roster,
  withKey,
  withoutKeys,
} from '#shared/domain/keys/roster.ts';
import { problem } from '#test/support/refusals.ts';

const NOW = new Date('2026-11-20T09:30:00.000Z');

const key = (id: string, createdByKeyId: string | null = null, expiresAt: string | null = null) => ({
  id,
  createdByKeyId,
  expiresAt,
});

/** Each key but the first is made by one before it, or by an operator. */
const rosters: fc.Arbitrary<Roster> = fc
  .array(fc.nat(), { minLength: 1, maxLength: 40 })
  .map((makers) => makers.map((maker, i) => key(`${i}`, maker % (i + 1) === i ? null : `${maker % (i + 1)}`)));

describe('the roster', () => {
  it('has a key in the family of another exactly if the other is the key or one of its makers', () => {
    fc.assert(
      fc.property(rosters, fc.nat(), (roster, position) => {
        const { id = '' } = roster[position % roster.length] ?? {};
        const family = familyOf(roster, id);
        const makerOf = (of: string) => roster.find((other) => other.id === of)?.createdByKeyId ?? null;
        const isMadeBy = (of: string | null): boolean => of !== null && (of === id || isMadeBy(makerOf(of)));
        return roster.every((other) => family.has(other.id) === isMadeBy(other.id));
      }),
    );
  });

  it('gives what keys that end have made to the next of their makers that lives on', () => {
    fc.assert(
      fc.property(rosters, fc.array(fc.nat(), { maxLength: 10 }), fc.nat(40), (made, positions, expired) => {
        const gone = new Set(positions.map((position) => made[position % made.length]?.id ?? ''));
        // A key that has expired is not on it, and may be revoked all the same.
        const roster = made.filter(({ id }) => id !== `${expired}`);
        const makers = new Map(roster.map(({ id, createdByKeyId }) => [id, createdByKeyId]));
        const left = withoutKeys(roster, gone);
        for (const { id, createdByKeyId } of left) {
          let maker = makers.get(id) ?? null;
          while (maker !== null && gone.has(maker)) maker = makers.get(maker) ?? null;
          if (createdByKeyId !== maker) return false;
        }
        return left.length === roster.filter(({ id }) => !gone.has(id)).length;
      }),
    );
  });

  it('keeps what a key made only for callers outside of its family', () => {
    const roster = [key('a'), key('b', 'a'), key('c', 'b'), key('d', 'a')];
    const family = familyOf(roster, 'b');
    for (const within of ['b', 'c']) {
      expect(() => assertOutside(family, within)).toThrow(problem('own_family'));
    }
    for (const outside of ['a', 'd', null]) expect(() => assertOutside(family, outside)).not.toThrow();
  });

  it('goes round no ring of makers for ever', () => {
    expect([...familyOf([key('a', 'b'), key('b', 'a')], 'a')]).toEqual(['a', 'b']);
  });

  it('takes no key of a maker that is not on it, or has expired', () => {
    const made = key('b', 'a');
    expect(() => withKey([], made, NOW)).toThrow(problem('unauthenticated'));
    const expired = key('a', null, NOW.toISOString());
    expect(() => withKey([expired], made, NOW)).toThrow(problem('unauthenticated'));
    expect(withKey([key('a')], made, NOW)).toEqual([key('a'), made]);
  });

  it('takes as many as may live, and leaves out what has expired', () => {
    const living = Array.from({ length: MAX_API_KEYS - 1 }, (_, i) => key(`${i}`));
    const roster = [...living, key('old', null, '2026-11-20T09:29:59.999Z')];
    expect(livingAt(roster, NOW)).toEqual(living);
    const full = withKey(roster, key('last'), NOW);
    expect(full).toEqual([...living, key('last')]);
    expect(() => withKey(full, key('more'), NOW)).toThrow(problem('too_many_api_keys'));
  });
});
