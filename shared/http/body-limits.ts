import { Problem } from '#shared/domain/problems.ts';

export const MEBIBYTE = 1_048_576;

export const DEFAULT_BODY_MEBIBYTES = 1;

export function payloadTooLarge(mebibytes: number): Problem {
  return new Problem('payload_too_large', {
    detail: `A body may have 6 MB as a function receives it, 10 MB at the gateway, and ${mebibytes} MiB once unpacked (1 MiB for most requests, 32 MiB for the confirmation of an import). Send less at once, or send it with "Content-Encoding: gzip".`,
  });
}
