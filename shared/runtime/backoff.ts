const FIRST_MILLISECONDS = 10;
/** A transaction takes some twenty milliseconds: who waits for much longer loses to all who have just come. */
const LONGEST_MILLISECONDS = 250;

/** The pause before another attempt: growing, with full jitter, so that those who were in each other's way do not meet again. */
export function backOff(failures: number): Promise<void> {
  const milliseconds = Math.random() * Math.min(LONGEST_MILLISECONDS, FIRST_MILLISECONDS * 2 ** failures);
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
