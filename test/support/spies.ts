import { afterEach, vi } from 'vitest';

/** What a test spies on or replaces, the clock too, is itself again once the test has ended. */
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});
