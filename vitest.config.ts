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
const UNIT = 'test/{architecture,domain,infra,pdf}/**/*.test.ts';

const ISOLATED = 'test/**/*.isolated.test.ts';

/**
 * Most files share a process: to load the modules, and to warm them up, takes longer than most tests. What a file does to its process that others
 * would notice, such as a replaced client, another cloud in the environment or a clock that stands still, takes a process of its own: such a file
 * is named `*.isolated.test.ts`.
 */
export default defineConfig({
  test: {
    // More than a small machine has processors: some wait for a worker or a process most of their time.
    maxWorkers: 4,
    projects: [
      { test: { ...onCloud, name: 'isolated', include: [ISOLATED] } },
      {
        test: {
          ...onCloud,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [ISOLATED, UNIT],
          isolate: false,
        },
      },
      {
        test: { ...common, name: 'unit', include: [UNIT], isolate: false, env: { TABLE_NAME: 'none' } },
      },
    ],
  },
});
