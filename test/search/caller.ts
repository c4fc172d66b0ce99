import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { request } from '#test/support/api.ts';
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

const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });

/**
 * Sends a request to the API, over connections that stay open: at 100,000 calls that is most of the time.
 */
export async function call(credential: string, sent: RandomRequest): Promise<RawReply> {
  const payload = sent.rawBody === undefined ? undefined : Buffer.from(sent.rawBody);
  const headers = {
    authorization: `Bearer ${credential}`,
    ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
    ...sent.headers,
  };
  return request(async (baseUrl) => {
    const message = await exchange(urlOf(sent, baseUrl), { agent, method: sent.method, headers }, payload);
    return { status: message.statusCode ?? 0, headers: headersOf(message), text: await textOf(message) };
  });
}

/**
 * The other end may close a connection that has been idle at the very moment that it is taken: then another one is
 * taken.
 */
function exchange(url: URL, options: RequestOptions, payload: Buffer | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, options, resolve);
    outgoing.once('error', (error) => {
      if (outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET')
        exchange(url, options, payload).then(resolve, reject);
      else reject(error);
    });
    outgoing.end(payload);
  });
}

export function urlOf({ path, query = {} }: RandomRequest, baseUrl = process.env.API_URL): URL {
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

/** The fault of an answer that is undocumented, or a 5xx other than that of a service with too much to do, if it is one. */
export function faultIn(request: RandomRequest, reply: RawReply): string | undefined {
  const { status, headers, text } = reply;
  if (status >= 500 && !isOverload(reply)) return `It answers ${status} ${text}`;
  try {
    assertDocumented(request.method, urlOf(request).pathname, { status, headers, body: bodyOf(reply) });
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
  const queue = items.values();
  const callers = Array.from({ length: Math.min(CALLERS, Math.ceil(items.length / CALLS_PER_CALLER)) }, async () => {
    for (const item of queue) await work(item);
  });
  await Promise.all(callers);
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
  return headers;
}

function textOf(message: IncomingMessage): Promise<string> {
  return readText(message.headers['content-encoding'] === 'gzip' ? message.pipe(createGunzip()) : message);
}
