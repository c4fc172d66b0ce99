import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** What a file does to its process that others would notice: clients replaced, another cloud in the environment, a clock that stands still. */
const LEAVES_TRACES = /\b(?:use[A-Z]\w+|mockClient)\(|\bvi\.|\bprocess\.(?:env|chdir)\b|\bglobalThis\b/;

const files = globSync('test/**/*.test.ts');
const apart = files.filter((file) => LEAVES_TRACES.test(readFileSync(file, 'utf8')));

const common = {
  setupFiles: ['test/support/setup.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
};

/** Most files share a process: to load the modules, and to warm them up, takes longer than most tests. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // More than a small machine has processors: some wait for an index, a worker or a process most of their time.
    maxWorkers: 4,
    projects: [
      { test: { ...common, name: 'apart', include: apart } },
      { test: { ...common, name: 'together', include: ['test/**/*.test.ts'], exclude: apart, isolate: false } },
    ],
  },
});
