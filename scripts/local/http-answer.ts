import type { OutgoingHttpHeaders } from 'node:http';
import * as v from 'valibot';

/** What API Gateway makes of a function's result (payload format 2.0). */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | string;
}

const structured = v.object({
  statusCode: v.pipe(
    v.union([v.number(), v.string()]),
    v.transform(Number),
    v.integer(),
    v.minValue(200),
    v.maxValue(599),
  ),
  headers: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  cookies: v.optional(v.array(v.string()), []),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean(), false),
});

/**
 * Takes the result as JSON text.
 *
 * @returns undefined if API Gateway could not make a response of the result
 */
export function httpAnswer(payload: string): HttpAnswer | undefined {
  const result: unknown = JSON.parse(payload);
  const isStructured = typeof result === 'object' && result !== null && 'statusCode' in result;
  if (!isStructured) return inferred(result, payload);
  const parsed = v.safeParse(structured, result);
  if (!parsed.success) return undefined;
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.output;
  const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  return {
    status: statusCode,
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      ...Object.fromEntries(lowerCased),
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: isBase64Encoded ? Buffer.from(body, 'base64') : body,
  };
}

/** Without a status, the result itself is the JSON body. */
function inferred(result: unknown, payload: string): HttpAnswer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: typeof result === 'string' ? result : payload,
  };
}
