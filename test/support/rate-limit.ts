import type { Reply } from './client.ts';

/** What an answer says of the bucket that its request was paid from. */
export function limitOf({ headers }: Reply): { readonly left: number; readonly secondsUntilFull: number } {
  const [, left, seconds] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return { left: Number(left), secondsUntilFull: Number(seconds) };
}

export const leftAfter = (reply: Reply): number => limitOf(reply).left;
