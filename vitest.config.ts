import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/**
 * Most files share a process: to load the modules, and to warm them up, takes longer than most tests. What a file does to its process that others
 * would notice, such as a replaced client, another cloud in the environment or a clock that stands still, takes a process of its own: such a file
 * is named `*.isolated.test.ts`.
 */
export default defineConfig(({ mode }) => {
  const isSearch = mode === 'search';
  const common = {
    setupFiles: ['test/support/setup.ts'],
    env: { SEARCH: String(isSearch) },
    testTimeout: isSearch ? 600_000 : 20_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  };
  const files = globSync('test/**/*.test.ts').filter((file) => !isSearch || draws(file));
  const { isolated = [], together = [] } = Object.groupBy(files, (file) =>
    file.endsWith('.isolated.test.ts') ? 'isolated' : 'together',
  );
  return {
    test: {
      globalSetup: ['test/support/global-setup.ts'],
      // More than a small machine has processors: some wait for a worker or a process most of their time.
      maxWorkers: 4,
      projects: [
        { test: { ...common, name: 'isolated', include: isolated } },
        { test: { ...common, name: 'together', include: together, isolate: false } },
      ],
    },
  };
});

/** Whether a file draws more cases in a search (`test/support/search.ts`). */
function draws(file: string): boolean {
  return readFileSync(file, 'utf8').includes('draws(');
}
