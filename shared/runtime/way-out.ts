import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import * as v from 'valibot';
import { parseEnv } from './env.ts';
import { isLoopback, isPublicAddress } from './public-address.ts';

/**
 * Requests to hosts whose addresses are somebody's setting. An address is checked where the connection is made: a name
 * is resolved once, all its addresses have to be public, and the connection goes to one of these. So a resolver that
 * answers differently the second time leads nowhere else. Redirects are not followed, because their target is not the
 * one that was set. On Lambda, loopback is the interface of the runtime itself.
 */

/** The local cloud alone sets it: there, provider, issuer and receivers are on this machine. */
const { ALLOWS_LOOPBACK } = parseEnv({ ALLOWS_LOOPBACK: v.optional(v.literal('true')) });

export type WayOutFailure = 'dns' | 'refused_address' | 'connect' | 'tls' | 'timeout';

/** Quotes nothing of what was received. */
export class WayOutError extends Error {
  readonly reason: WayOutFailure;

  constructor(reason: WayOutFailure) {
    super(`The request failed: ${reason}.`);
    this.name = 'WayOutError';
    this.reason = reason;
  }
}

export interface Outgoing {
  readonly headers: Readonly<Record<string, string>>;
  /** With one, the request is a POST, otherwise a GET. */
  readonly body?: string;
  /** Ends the request, and the reading of its answer. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /**
   * Reads the body, unpacked. The bytes are counted, because the announced length may be wrong.
   *
   * @returns undefined if there are more bytes: they are not received
   * @throws WayOutError
   */
  read(maximumBytes: number): Promise<Buffer | undefined>;
  /** Ends the connection without the body. */
  drop(): void;
}

type Resolver = (
  name: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export class WayOut {
  readonly #lookup: LookupFunction;
  readonly #isAllowed: (address: string) => boolean;
  readonly #agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

  constructor(resolver: Resolver = lookup, allowsLoopback = ALLOWS_LOOPBACK === 'true') {
    this.#isAllowed = (address) => isPublicAddress(address) || (allowsLoopback && isLoopback(address));
    this.#lookup = (name, options, callback) =>
      resolver(name, { ...options, all: true }, (error, addresses) => {
        const [first] = addresses ?? [];
        if (error || !first) callback(new WayOutError('dns'), '');
        else if (!addresses.every(({ address }) => this.#isAllowed(address)))
          callback(new WayOutError('refused_address'), '');
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
  }

  /** @throws WayOutError */
  async request(url: URL, { headers, body, signal }: Outgoing): Promise<Answer> {
    // No resolver is asked for what is an address already.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !this.#isAllowed(host)) throw new WayOutError('refused_address');
    let reason: WayOutFailure = 'connect';
    const failed = (error: unknown): WayOutError => {
      if (signal.aborted) return new WayOutError('timeout');
      return error instanceof WayOutError ? error : new WayOutError(reason);
    };
    const options = {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'accept-encoding': 'gzip', ...headers },
      lookup: this.#lookup,
      signal,
    };
    const isSecure = url.protocol === 'https:';
    const request = isSecure
      ? requestHttps(url, { ...options, agent: this.#agents.https })
      : requestHttp(url, { ...options, agent: this.#agents.http });
    request.once('socket', (socket) => {
      if (!isSecure) return;
      socket.once('connect', () => {
        reason = 'tls';
      });
      socket.once('secureConnect', () => {
        reason = 'connect';
      });
    });
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).on('error', (error) => reject(failed(error)));
      // An answer that changes the protocol ends the connection without either of these.
      request.once('close', () => reject(failed(undefined)));
      request.end(body);
    });
    return {
      status: message.statusCode ?? 0,
      headers: message.headers,
      read: (maximumBytes) =>
        readBounded(unpacked(message), maximumBytes).catch((error) => {
          throw failed(error);
        }),
      drop: () => {
        message.destroy();
      },
    };
  }

  /** Ends the connections that are kept for further requests. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

function unpacked(message: IncomingMessage): Readable {
  // A failure of either ends both, and the reader meets it.
  return message.headers['content-encoding'] === 'gzip' ? pipeline(message, createGunzip(), () => {}) : message;
}

async function readBounded(stream: Readable, maximumBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > maximumBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
