/** A function's answer has at most 6 MB (6,291,456 bytes). This leaves room for its headers and its envelope. */
export const MAX_ANSWER_BYTES = 6_200_000;

/**
 * A function's answer is JSON with the body as a string: the body's quotation marks and backslashes are escaped. So the
 * bytes are counted as they travel. They are counted unpacked: whether an answer is packed depends on the caller, and
 * what can be answered must not.
 */
export function bytesInAnswer(body: string): number {
  return Buffer.byteLength(JSON.stringify(body));
}
