import { defineConfig } from 'vitest/config';

const common = {
  setupFiles: ['test/support/seed.ts'],
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

/** Whole commands and pages, cold starts of every function, and samples of the searches: `npm run test:slow`. */
const SLOW = [
  'test/api/{cold-instances,costs,faults,isolation,new-key}.isolated.test.ts',
  'test/api/{random-requests,read-after-write,rounds}.test.ts',
  'test/browser/*.test.ts',
  'test/local/{demo-data,dev,start}.test.ts',
  'test/openapi/types.test.ts',
  'test/scripts/{deploy,keys,token,tour,workflows}.test.ts',
  'test/work/organization/{deletion,erasure-deaths}.isolated.test.ts',
];

/**
 * Most files share a process: to load the modules, and to warm them up, takes longer than most tests. A file takes a
 * process of its own where it does what others would notice, such as replacing a client, working on another cloud or
 * stopping the clock: it is named `*.isolated.test.ts`.
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
      {
        test: { ...common, name: 'unit', include: [UNIT], isolate: false, env: { TABLE_NAME: 'none' } },
      },
    ],
  },
});
