import { afterEach, vi } from 'vitest';
import { logger } from '#shared/runtime/logger.ts';

/** Lets the tests of a file read what is logged. Each test begins with an empty log. */
export function useLog() {
  const written: string[] = [];
  afterEach(() => {
    logger.setLogLevel('SILENT');
    written.length = 0;
  });
  const recordLog = (): void => {
    logger.setLogLevel('DEBUG');
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((line) => {
        written.push(String(line));
        return true;
      });
    }
  };
  return { written, recordLog };
}
