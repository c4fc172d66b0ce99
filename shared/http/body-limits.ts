import { Problem } from '#shared/domain/problems.ts';

export const MEBIBYTE = 1_048_576;

export const DEFAULT_BODY_MEBIBYTES = 1;

export function payloadTooLarge(mebibytes: number): Problem {
  return new Problem('payload_too_large', {
    detail: `The body may have ${mebibytes} MiB once it is unpacked. Send less at once.`,
  });
}
