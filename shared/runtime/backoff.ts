const FIRST_MILLISECONDS = 10;
/** A transaction takes some 20 ms. After a much longer pause, an attempt would lose to all newcomers. */
const LONGEST_MILLISECONDS = 250;

/** Grows with full jitter, so that attempts that collided do not collide again. */
export function backOff(failures: number, longestMilliseconds = LONGEST_MILLISECONDS): Promise<void> {
  const milliseconds = Math.random() * Math.min(longestMilliseconds, FIRST_MILLISECONDS * 2 ** failures);
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
