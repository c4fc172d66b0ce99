import { Problem } from '#shared/domain/problems.ts';

export const MEBIBYTE = 1_048_576;

const KIBIBYTE = 1_024;

export const DEFAULT_BODY_MEBIBYTES = 1;

export function payloadTooLarge(maxBytes: number): Problem {
  const size = maxBytes < MEBIBYTE ? `${maxBytes / KIBIBYTE} KiB` : `${maxBytes / MEBIBYTE} MiB`;
  return new Problem('payload_too_large', {
    detail: `The body may have ${size} once it is unpacked. Send less at once.`,
  });
}
