import { request } from './api.ts';
import { assertDocumented, bodyOf } from './openapi-validator.ts';

/** What `JSON.parse` returns. Tests assert on its shape at run time, and the OpenAPI document checks the rest. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The value of a JSON body, a text, or bytes. */
  readonly body: Json;
}

const TEXT_TYPES = /^$|^text\/|\bjson\b/;

type QueryValue = string | number | boolean | undefined | readonly string[];

export interface Sending {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  /** Sent as it is, instead of `body` as JSON. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whether an answer repeats that of an earlier request with the same `Idempotency-Key`. */
export const isReplayed = ({ headers }: Reply): boolean => headers.get('idempotency-replayed') === 'true';

/** @param query a member that is undefined is left out */
export function urlOf(path: string, query: Sending['query'] = {}, baseUrl = process.env.API_URL): URL {
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) if (each !== undefined) url.searchParams.append(name, String(each));
  return url;
}

/** Calls the API, and compares every answer with the OpenAPI document. */
export class Client {
  readonly #apiKey: string | undefined;
  readonly #baseUrl: string | undefined;

  constructor(apiKey?: string, baseUrl?: string) {
    this.#apiKey = apiKey;
    this.#baseUrl = baseUrl;
  }

  async send(method: string, path: string, { query, body, rawBody, headers = {} }: Sending = {}): Promise<Reply> {
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const ask = async (baseUrl: string) => {
      const url = urlOf(path, query, baseUrl);
      const response = await fetch(url, {
        method,
        body: payload,
        headers: {
          ...(this.#apiKey && { authorization: `Bearer ${this.#apiKey}` }),
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      });
      return { url, response, bytes: await response.bytes() };
    };
    const { url, response, bytes } = await (this.#baseUrl === undefined ? request(ask) : ask(this.#baseUrl));
    const { status, headers: responseHeaders } = response;
    const type = responseHeaders.get('content-type') ?? '';
    const text = new TextDecoder().decode(bytes);
    const documented = { status, headers: responseHeaders, body: bodyOf({ headers: responseHeaders, text }) };
    assertDocumented(method, url.pathname, documented);
    return TEXT_TYPES.test(type) ? documented : { ...documented, body: bytes };
  }

  get(path: string, query?: Sending['query']): Promise<Reply> {
    return this.send('GET', path, { query });
  }

  post(path: string, body?: unknown): Promise<Reply> {
    return this.send('POST', path, { body });
  }

  patch(path: string, body?: unknown): Promise<Reply> {
    return this.send('PATCH', path, { body });
  }

  delete(path: string): Promise<Reply> {
    return this.send('DELETE', path);
  }
}
