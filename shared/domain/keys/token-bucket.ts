/**
 * The rate limit of a key: a bucket of N tokens that refills evenly over a minute. As in the generic cell rate
 * algorithm, the bucket is kept as one number: the moment at which it will be full again. Taking a token moves that
 * moment one interval later. The bucket is empty when the moment lies a whole minute ahead.
 *
 * Moments are microseconds since the epoch, so the intervals of high limits are still whole numbers.
 */

export const WINDOW_MICROSECONDS = 60_000_000;

/** How many microseconds one token takes to refill. */
export function tokenInterval(rateLimit: number): number {
  return Math.ceil(WINDOW_MICROSECONDS / rateLimit);
}

/** How many tokens a full bucket holds. Rounding the interval up can make it less than the limit. */
export function bucketSize(rateLimit: number): number {
  return availableTokens(0, 0, rateLimit);
}

/** Whole tokens in a bucket that will be full at `fullAt`. */
export function availableTokens(fullAt: number, now: number, rateLimit: number): number {
  const available = Math.floor((now + WINDOW_MICROSECONDS - Math.max(fullAt, now)) / tokenInterval(rateLimit));
  return Math.min(rateLimit, Math.max(0, available));
}

/** Seconds until the bucket holds so many tokens, rounded up and at least one, for `Retry-After`. */
export function secondsUntilTokens(tokens: number, fullAt: number, now: number, rateLimit: number): number {
  const microseconds = fullAt + tokens * tokenInterval(rateLimit) - WINDOW_MICROSECONDS - now;
  return Math.max(1, Math.ceil(microseconds / 1_000_000));
}

/** Seconds until the bucket is full. */
export function secondsUntilFull(fullAt: number, now: number): number {
  return Math.max(0, Math.ceil((fullAt - now) / 1_000_000));
}

/**
 * How many tokens a running function takes at once. It starts with one and doubles while the function uses them up.
 * So a key that calls many functions once does not leave tokens in all of them, and a busy function needs one write
 * for many requests. One function may hold back at most a tenth of the limit from the others.
 */
export function nextLeaseSize(previous: number, leftOver: number, rateLimit: number): number {
  const most = Math.max(1, Math.floor(rateLimit / 10));
  const wanted = leftOver > 0 ? Math.floor(previous / 2) : previous * 2;
  return Math.min(most, Math.max(1, wanted));
}
