import { mapInParallel } from '#shared/data/table/parallel.ts';
import { request } from '#test/support/api.ts';
import { urlOf } from '#test/support/client.ts';
import { assertDocumented, bodyOf } from '#test/support/openapi-validator.ts';
import type { RandomRequest } from '#test/support/random-requests.ts';

/** An answer to the letter. */
export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * How many calls are on their way at once, when there are many. A few calls at once would only start functions that do
 * little more.
 */
const CALLERS = 16;
const CALLS_PER_CALLER = 200;

/** Sends a request to the API as it is, and takes any answer. */
export async function call(credential: string, sent: RandomRequest): Promise<RawReply> {
  const { method, path, query, rawBody: body } = sent;
  const type = body !== undefined && { 'content-type': 'application/json' };
  const headers = { authorization: `Bearer ${credential}`, ...type, ...sent.headers };
  return request(async (baseUrl) => {
    const response = await fetch(urlOf(path, query, baseUrl), { method, headers, body, redirect: 'manual' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  });
}

/** The fault of an answer that is undocumented, or a 5xx other than that of a service with too much to do, if it is one. */
export function faultIn(request: RandomRequest, reply: RawReply): string | undefined {
  const { status, headers, text } = reply;
  if (status >= 500 && !isOverload(reply)) return `It answers ${status} ${text}`;
  try {
    assertDocumented(request.method, urlOf(request.path).pathname, { status, headers, body: bodyOf(reply) });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function isOverload({ status, text }: RawReply): boolean {
  return status === 503 && text.includes('"temporarily_unavailable"');
}

/** Works through a list of calls, several at once. */
export async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  await mapInParallel(items, work, Math.min(CALLERS, Math.ceil(items.length / CALLS_PER_CALLER)));
}
