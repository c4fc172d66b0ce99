import { Problem } from '#shared/domain/problems.ts';

export const MEBIBYTE = 1_048_576;

export const DEFAULT_BODY_MEBIBYTES = 1;

const LIMIT_OF_OPERATIONS = '1 MiB for most requests, 32 MiB for the confirmation of an import';

const REMEDY = 'Send less at once, or send it with "Content-Encoding: gzip".';

export function payloadTooLarge(mebibytes: number): Problem {
  const limits = '6 MB as a function receives it, 10 MB at the gateway';
  return new Problem('payload_too_large', {
    detail: `A body may have ${limits}, and ${mebibytes} MiB once unpacked (${LIMIT_OF_OPERATIONS}). ${REMEDY}`,
  });
}
