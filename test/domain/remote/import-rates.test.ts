import fc from 'fast-check';
import { expect, it } from 'vitest';
import { outcomeOf } from '#shared/domain/remote/import-outcome.ts';
import { planRow } from '#shared/domain/remote/import-plan.ts';
import { identifyRows } from '#shared/domain/remote/row.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';
import { draws } from '#test/support/draws.ts';
import { importOf, remoteRow } from '#test/support/remote-rows.ts';

const origin = { organizationId: 'org', accountId: 'account' };
const user = fc.constantFrom('ana', 'ben', 'cleo');
const rate = fc.constantFrom('1', '2', '3', '4');

const step = fc.record({
  importer: user,
  mapped: fc.option(user),
  userLabel: fc.constantFrom('A', 'B', null),
  durationMinutes: fc.integer({ min: 1, max: 5 }),
  rate: fc.option(rate),
  defaultRate: fc.option(rate),
  userRates: fc.uniqueArray(fc.record({ userId: user, rate }), { selector: ({ userId }) => userId }),
});

it('a written row has its own rate, else that of the project for the user whose entry it is, else its default', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let entry: Entry | undefined;
      for (const { importer, mapped, userLabel, durationMinutes, ...rates } of steps) {
        const work = { project: 'P', externalId: '1', user: userLabel, durationMinutes, rate: rates.rate };
        const project = { id: 'p', clientId: null, currency: 'USD', ...rates };
        const mappings = {
          clients: new Map(),
          projects: new Map([['P', 'p']]),
          users: new Map([[userLabel ?? '', mapped]]),
        };
        const projects = new Map([['p', project]]);
        const job = importOf({ userId: importer });
        const [after = null] = identifyRows([remoteRow(work)], origin).map((each) =>
          outcomeOf(planRow(each, mappings, projects, 'USD'), entry, job, new Date(0)),
        );
        if (!after) continue;
        const ofUser = rates.userRates.find(({ userId }) => userId === after.userId)?.rate;
        expect(after.rate).toBe(rates.rate ?? ofUser ?? rates.defaultRate);
        entry = after;
      }
    }),
    { numRuns: draws(100) },
  );
});
