import type { OutgoingHttpHeaders } from 'node:http';
import * as v from 'valibot';

/** The answer that API Gateway makes of a function's result (payload format 2.0). */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | string;
}

const proxyResult = v.object({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean(), false),
});

/**
 * Takes the result as JSON text.
 *
 * @returns undefined if the result is no response
 */
export function httpAnswer(payload: string): HttpAnswer | undefined {
  const parsed = v.safeParse(proxyResult, JSON.parse(payload));
  if (!parsed.success) return undefined;
  const { statusCode, headers, body, isBase64Encoded } = parsed.output;
  const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  return {
    status: statusCode,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...Object.fromEntries(lowerCased) },
    body: isBase64Encoded ? Buffer.from(body, 'base64') : body,
  };
}
