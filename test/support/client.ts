import { assertDocumented } from './openapi-validator.ts';

/** What `JSON.parse` answers: tests assert on its shape at run time, and the OpenAPI document checks the rest. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

type QueryValue = string | number | boolean | undefined;

export interface Sending {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  /** Sent as it is, instead of `body` as JSON. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Speaks HTTP to the local cloud at `API_URL`; every answer is compared with the OpenAPI document. */
export class Client {
  readonly #apiKey: string | undefined;

  constructor(apiKey?: string) {
    this.#apiKey = apiKey;
  }

  async send(method: string, path: string, { query = {}, body, rawBody, headers = {} }: Sending = {}): Promise<Reply> {
    const url = new URL(`${process.env.API_URL}${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(url, {
      method,
      body: payload,
      headers: {
        ...(this.#apiKey && { authorization: `Bearer ${this.#apiKey}` }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
    const reply = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    assertDocumented(method, url.pathname, reply);
    return reply;
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
