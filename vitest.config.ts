import { defineConfig } from 'vitest/config';

const common = {
  setupFiles: ['test/support/seed.ts', 'test/support/spies.ts'],
  testTimeout: 20_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
};

const onCloud = {
  ...common,
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: [...common.setupFiles, 'test/support/setup.ts'],
};

/** The rooms whose tests need no cloud: a run of them alone boots none. */
const UNIT = 'test/{architecture,domain,e-invoice,infra,pdf,sign-in}/**/*.test.ts';

const ISOLATED = 'test/**/*.isolated.test.ts';

/** `npm run test:slow`: what takes long and seldom fails alone. CI runs it after `npm test`. */
const SLOW = [
  // Whole commands and pages, and cold starts of every function
  'test/api/cold-instances.isolated.test.ts',
  'test/browser/*.test.ts',
  'test/local/{dev,first-build,functions,start}.test.ts',
  'test/local/{durability,layout}.isolated.test.ts',
  'test/openapi/code-samples.test.ts',
  'test/scripts/{deploy,keys,token,tour,workflows}.test.ts',
  // Samples of the searches
  'test/api/{costs,faults,isolation,syncs}.isolated.test.ts',
  'test/api/events/mirror.isolated.test.ts',
  'test/api/{random-requests,read-after-write,rounds}.test.ts',
  'test/data/invoices/numbers.test.ts',
  'test/work/organization/deletion.isolated.test.ts',
  // Many requests at once, which start instances
  'test/api/{at-once,tag-races,tracker/timer-races}.test.ts',
  'test/data/directory/directory.test.ts',
  'test/data/tracker/timers.test.ts',
  // Functions that die at each of their calls
  'test/data/events/{feed,readers}.test.ts',
  'test/data/keys/revocation.test.ts',
  'test/api/events/webhook-deaths.isolated.test.ts',
  'test/data/idempotency/{attempts,deaths}.isolated.test.ts',
  'test/work/events/{deliver-events,delivery-deaths}.isolated.test.ts',
  'test/work/invoices/credit-invoice.test.ts',
  'test/work/organization/{erase-organization,erasure-deaths}.isolated.test.ts',
  'test/work/organization/withdraw.test.ts',
  'test/workers/remote/{import-chunk,held-back,settle-import,sync-connection,sync-deaths}.isolated.test.ts',
  'test/work/invoices/holds.test.ts',
  // Every operation, list or step, over every kind of item, answer or status
  'test/api/{entity-tags,external-ids,lists,matrices,metadata,secrets}.test.ts',
  'test/api/events/every-operation.isolated.test.ts',
  'test/api/invoices/{invoice-states,numbers}.test.ts',
  'test/{api/tracker,work/remote}/closed-periods.test.ts',
  'test/api/unshowable-answers.test.ts',
  'test/data/invoices/{invoice-filters,lean-rows}.test.ts',
  'test/data/later-items.test.ts',
  // The largest sizes, exact capacity, and what takes seconds or minutes of a clock
  'test/api/{sign-in,events/hanging-receivers,events/told-webhooks,meta/deep-health}.isolated.test.ts',
  'test/api/events/{deliveries,hostile-receivers}.test.ts',
  'test/api/{units,weights}.test.ts',
  'test/api/invoices/longest-hours.test.ts',
  'test/data/{,**/}*capacity.test.ts',
  'test/data/invoices/credit-size.test.ts',
  'test/data/table/{outcomes.isolated,relay-page}.test.ts',
  'test/data/tracker/{busy-days,crowded-day,crowded-projects,entry-export}.test.ts',
  'test/http/{body-costs.isolated,weights}.test.ts',
  'test/work/invoices/fresh-table.isolated.test.ts',
  'test/workers/{events/webhook-scheduler,remote/{breaker,closed-periods,sync-scheduler,sync-slices,ticks}}.isolated.test.ts',
];

/** Those that need no cloud. */
const SLOW_UNIT = [
  'test/architecture/regular-expressions.test.ts',
  'test/domain/invoices/{figures,invoice-size}.test.ts',
  'test/domain/remote/many-syncs.test.ts',
  'test/infra/{collisions,rules}.test.ts',
  'test/pdf/{deadline,factur-x,font-changes,invoice-pdf,languages,pages,paper,payment-details}.test.ts',
];

const unit = { ...common, isolate: false, env: { TABLE_NAME: 'none', ALLOWS_LOOPBACK: 'true' } };

/**
 * Most files share a process: to load the modules, and to warm them up, takes longer than most tests. A file takes a
 * process of its own where it does what others would notice, such as replacing a client or working on another cloud: it
 * is named `*.isolated.test.ts`.
 */
export default defineConfig({
  test: {
    // More than a small machine has processors: some wait for a worker or a process most of their time.
    maxWorkers: 4,
    projects: [
      { test: { ...onCloud, name: 'isolated', include: [ISOLATED], exclude: SLOW } },
      { test: { ...onCloud, name: 'slow', include: SLOW } },
      {
        test: {
          ...onCloud,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [ISOLATED, UNIT, ...SLOW],
          isolate: false,
        },
      },
      { test: { ...unit, name: 'unit', include: [UNIT], exclude: SLOW_UNIT } },
      { test: { ...unit, name: 'slow-unit', include: SLOW_UNIT } },
    ],
  },
});
