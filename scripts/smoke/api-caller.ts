/** An answer of any kind, as far as the steps look at it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** For a JSON answer, what `JSON.parse` makes of it. */
  readonly body: ReturnType<typeof JSON.parse>;
  readonly bytes: Buffer;
}

interface Sending {
  readonly body?: unknown;
  /** Bytes that are sent as they are, instead of a JSON body. */
  readonly rawBody?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A key in place of the caller's own; null for none. */
  readonly key?: string | null;
}

/** A single answer may take as long as API Gateway waits. */
const PATIENCE_MILLISECONDS = 31_000;

export class ApiCaller {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url.replace(/\/+$/, '');
    this.#key = key;
  }

  async send(method: string, path: string, { body, rawBody, headers, key = this.#key }: Sending = {}): Promise<Reply> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...((body !== undefined || rawBody) && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: rawBody ?? (body === undefined ? undefined : JSON.stringify(body)),
      signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '') && bytes.length > 0;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(`${bytes}`) : null, bytes };
  }

  /** @throws Error that shows the answer, if its status is another */
  async demand(status: number, method: string, path: string, sending?: Sending): Promise<Reply> {
    const reply = await this.send(method, path, sending);
    if (reply.status === status) return reply;
    const { code = '', detail = '' } = reply.body ?? {};
    throw new Error(`${method} ${path} answered ${reply.status} instead of ${status} ${code} ${detail}`.trim());
  }
}
