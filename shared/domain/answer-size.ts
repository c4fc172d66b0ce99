/** Lambda takes an answer of 6 MB (6,291,456 bytes). The rest is for headers and the envelope. */
export const MAX_ANSWER_BYTES = 6_200_000;

/** Counts the body as Lambda escapes it, and uncompressed: a caller's `Accept-Encoding` decides nothing. */
export function bytesInAnswer(body: string): number {
  return Buffer.byteLength(JSON.stringify(body));
}
