/** Generic cell rate: a bucket is kept as the moment (microseconds since the epoch) at which it will be full. */

export const WINDOW_MICROSECONDS = 60_000_000;

export function tokenInterval(rateLimit: number): number {
  return Math.ceil(WINDOW_MICROSECONDS / rateLimit);
}

/** Rounding the interval up can make it less than the limit. */
export function bucketSize(rateLimit: number): number {
  return availableTokens(0, 0, rateLimit);
}

export function availableTokens(fullAt: number, now: number, rateLimit: number): number {
  const available = Math.floor((now + WINDOW_MICROSECONDS - Math.max(fullAt, now)) / tokenInterval(rateLimit));
  return Math.min(rateLimit, Math.max(0, available));
}

/** For `Retry-After`: rounded up, at least one. */
export function secondsUntilTokens(tokens: number, fullAt: number, now: number, rateLimit: number): number {
  const microseconds = fullAt + tokens * tokenInterval(rateLimit) - WINDOW_MICROSECONDS - now;
  return Math.max(1, Math.ceil(microseconds / 1_000_000));
}

export function secondsUntilFull(fullAt: number, now: number): number {
  return Math.max(0, Math.ceil((fullAt - now) / 1_000_000));
}

/** Idle functions must hold few tokens back, and busy ones need few writes. */
export function nextLeaseSize(previous: number, leftOver: number, rateLimit: number): number {
  const most = Math.max(1, Math.floor(rateLimit / 10));
  const wanted = leftOver > 0 ? Math.floor(previous / 2) : previous * 2;
  return Math.min(most, Math.max(1, wanted));
}
