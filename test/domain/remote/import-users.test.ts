import fc from 'fast-check';
import { expect, it } from 'vitest';
import { outcomeOf } from '#shared/domain/remote/import-outcome.ts';
import { planRow } from '#shared/domain/remote/import-plan.ts';
import { describedRow, identifyRows } from '#shared/domain/remote/row.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';
import { importOf, remoteRow } from '#test/support/remote-rows.ts';

const USERS = ['ana', 'ben', 'cleo'];
const NOTHING = { clients: new Map<string, null>(), projects: new Map<string, null>() };

const origin = { organizationId: 'org', accountId: 'account' };

const remoteName: fc.Arbitrary<string | null> = fc.constantFrom('Ana A.', 'Ben B.', '__proto__', '', null);

const step = fc.record({
  importer: fc.constantFrom(...USERS),
  trigger: fc.constantFrom('confirm', 'schedule', 'rows'),
  updateChanged: fc.boolean(),
  rows: fc.array(fc.record({ externalId: fc.constantFrom('1', '2'), user: remoteName, durationMinutes: fc.nat(2) })),
  users: fc
    .array(fc.tuple(remoteName.map(String), fc.constantFrom(...USERS, null)))
    .map((pairs): ReadonlyMap<string, string | null> => new Map(pairs)),
});

it('work is of a user whom its own name at the provider stood for, or who has imported it, whatever came before', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const entries = new Map<string, Entry>();
      const possible = new Map<string | null, Set<string>>();
      for (const { importer: userId, rows, users, ...how } of steps) {
        const job = importOf({ userId, ...how });
        const identified = identifyRows(
          rows.map((values) => describedRow(remoteRow(values))),
          origin,
        );
        for (const each of identified) {
          const { user } = each;
          const before = entries.get(each.entryId);
          const planned = planRow(each, { ...NOTHING, users }, new Map(), 'USD');
          const after = outcomeOf(planned, before, job, new Date(0));
          if (!after) continue;
          const mapped = (user !== null && users.get(user)) || null;
          possible.set(user, (possible.get(user) ?? new Set()).add(mapped ?? userId));
          if (mapped !== null) expect(after.userId).toBe(mapped);
          else if (before && before.imported?.userLabel === user) expect(after.userId).toBe(before.userId);
          expect(possible.get(user)).toContain(after.userId);
          expect(after.imported?.userLabel).toBe(user);
          entries.set(after.id, after);
        }
      }
    }),
  );
});
