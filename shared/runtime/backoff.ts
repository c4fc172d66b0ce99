const FIRST_MILLISECONDS = 10;
const LONGEST_MILLISECONDS = 1_000;

/** The pause before another attempt: growing, with full jitter, so that those who were in each other's way do not meet again. */
export function backOff(failures: number): Promise<void> {
  const milliseconds = Math.random() * Math.min(LONGEST_MILLISECONDS, FIRST_MILLISECONDS * 2 ** failures);
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
