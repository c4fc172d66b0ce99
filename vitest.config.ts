import { defineConfig } from 'vitest/config';

const common = {
  setupFiles: ['test/support/setup.ts'],
  testTimeout: 20_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
};

const ISOLATED = 'test/**/*.isolated.test.ts';

/**
 * Most files share a process: to load the modules, and to warm them up, takes longer than most tests. What a file does to its process that others
 * would notice, such as a replaced client, another cloud in the environment or a clock that stands still, takes a process of its own: such a file
 * is named `*.isolated.test.ts`.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // More than a small machine has processors: some wait for a worker or a process most of their time.
    maxWorkers: 4,
    projects: [
      { test: { ...common, name: 'isolated', include: [ISOLATED] } },
      { test: { ...common, name: 'together', include: ['test/**/*.test.ts'], exclude: [ISOLATED], isolate: false } },
    ],
  },
});
