import { Problem } from '#shared/domain/problems.ts';

const MEBIBYTE = 1_048_576;

/** The first two limits are Lambda's and API Gateway's own. */
export const BODY_LIMITS = {
  functionBytes: 6 * MEBIBYTE,
  gatewayBytes: 10 * MEBIBYTE,
  unpackedBytes: 32 * MEBIBYTE,
} as const;

export function payloadTooLarge(): Problem {
  return new Problem('payload_too_large', {
    detail:
      'A body may have 6 MB as a function receives it, 10 MB at the gateway, and 32 MiB once unpacked. Send less at once, or send it with "Content-Encoding: gzip".',
  });
}
