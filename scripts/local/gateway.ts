import { randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { CapacityBucket } from './capacity-bucket.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { EventTooLargeError, type Functions, ThrottledError } from './functions.ts';
import { GatewayRefusal } from './gateway-refusal.ts';
import { alsoListenOnIpv6, close, listen, readBody } from './http.ts';
import { type HttpAnswer, httpAnswer } from './http-answer.ts';
import { httpEvent, type Target, targetOf } from './http-event.ts';
import type { InvocationResult } from './instance.ts';
import type { ApiPlan } from './plans/apis.ts';
import { type RouteMatch, Router } from './routing.ts';

/** The HTTP API: finds the route of a request, invokes its function, and answers with what the function returned. */

const MAXIMUM_BODY_BYTES = 10 * 1_048_576;
/** API Gateway's limit of the request line and all headers. */
const MAXIMUM_HEADER_BYTES = 10_240;
const STOP_GRACE_MILLISECONDS = 2_000;
const REQUEST_TIMEOUT_MILLISECONDS = 60_000;

export interface AccessLogLine {
  readonly requestId: string;
  readonly method: string;
  /** The query is left out, since it may hold private data. */
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly receivedAt: Date;
}

export class Gateway {
  readonly #server: Server;
  readonly #accessListeners = new Set<(line: AccessLogLine) => void>();
  #api: ApiPlan | undefined;
  #router = new Router([]);
  #functions: Pick<Functions, 'invoke'> | undefined;
  #requests: CapacityBucket | undefined;

  constructor() {
    this.#server = createServer({
      maxHeaderSize: MAXIMUM_HEADER_BYTES,
      requestTimeout: REQUEST_TIMEOUT_MILLISECONDS,
      requireHostHeader: false,
    });
    const serve = (request: IncomingMessage, response: ServerResponse) =>
      void this.#serve(request, response).catch(() => response.destroy());
    this.#server.on('request', serve);
    this.#server.on('checkExpectation', serve);
    this.#server.on('connect', (_request, socket) => this.#refuse(socket));
    this.#server.on('clientError', (_error, socket) => this.#refuse(socket));
  }

  async listen(port: number): Promise<number> {
    const actualPort = await listen(this.#server, port, '127.0.0.1');
    await alsoListenOnIpv6(this.#server, actualPort);
    return actualPort;
  }

  /** Until this call the gateway answers that it is starting. */
  connect(api: ApiPlan | undefined, functions: Pick<Functions, 'invoke'>): void {
    this.#api = api;
    this.#router = new Router(api?.routes ?? []);
    this.#functions = functions;
    this.#requests = api?.throttle && new CapacityBucket(api.throttle.perSecond, api.throttle.burst);
  }

  onRequest(listener: (line: AccessLogLine) => void): () => void {
    this.#accessListeners.add(listener);
    return () => this.#accessListeners.delete(listener);
  }

  stop(): Promise<void> {
    return close(this.#server, STOP_GRACE_MILLISECONDS);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = { request, requestId: newRequestId(), receivedAt: new Date() };
    const startedAt = performance.now();
    const answer = await this.#answer(exchange).catch((error: unknown) => refusalOf(error).answer);
    if (response.destroyed) return;
    const status = this.#send(response, answer, exchange);
    const path = targetOf(request.url ?? '')?.path ?? '';
    const milliseconds = Math.round(performance.now() - startedAt);
    const line = { requestId: exchange.requestId, method: request.method ?? '', path, status, milliseconds };
    for (const listener of this.#accessListeners) listener(line);
  }

  #send(response: ServerResponse, answer: HttpAnswer, { request, requestId }: Exchange): number {
    const added = this.#headersOfAll(request.headers, requestId);
    try {
      write(response, answer, added);
      return answer.status;
    } catch {
      // HTTP does not allow this header: the function's fault.
      const failure = new GatewayRefusal(500).answer;
      write(response, failure, added);
      return failure.status;
    }
  }

  #headersOfAll(request: IncomingHttpHeaders, requestId: string): Record<string, string> {
    return { ...corsHeaders(this.#api?.cors, request), 'apigw-requestid': requestId };
  }

  /** Answers bytes that never became a request, and closes the connection. */
  #refuse(socket: Duplex): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const requestId = newRequestId();
    const { status, headers, body } = new GatewayRefusal(400).answer;
    const lines = Object.entries({
      ...headers,
      ...this.#headersOfAll({}, requestId),
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    });
    socket.end(
      [`HTTP/1.1 ${status} Bad Request`, ...lines.map(([name, value]) => `${name}: ${value}`), '', body].join('\r\n'),
    );
  }

  async #answer(exchange: Exchange): Promise<HttpAnswer> {
    const { request } = exchange;
    const { method = '', headers } = request;
    const cors = this.#api?.cors;
    if (method === 'OPTIONS' && cors) {
      return { status: 204, headers: preflightHeaders(cors, headers), body: '' };
    }
    const target = targetOf(request.url ?? '');
    if (!target) throw new GatewayRefusal(400);
    const match = this.#router.match(method, target.path);
    const body = await readBody(request, MAXIMUM_BODY_BYTES);
    if (body === null) {
      request.resume();
      throw new GatewayRefusal(413);
    }
    if (!this.#functions) throw new GatewayRefusal(503);
    if (!match) throw new GatewayRefusal(404);
    if (this.#requests?.has(1) === false) throw new GatewayRefusal(429);
    this.#requests?.take(1);
    return this.#invoke(exchange, target, match, body);
  }

  async #invoke(exchange: Exchange, target: Target, match: RouteMatch, body: Buffer): Promise<HttpAnswer> {
    const api = this.#api;
    const functions = this.#functions;
    if (!api || !functions) throw new GatewayRefusal(503);
    const event = JSON.stringify(httpEvent({ ...exchange, target, match, body, apiId: api.id, stage: api.stage }));
    const result = await inTime(functions.invoke(match.route.functionName, event), match.route.timeoutMilliseconds);
    const answer = result.functionError ? undefined : httpAnswer(result.payload);
    if (!answer) throw new GatewayRefusal(500);
    return answer;
  }
}

/** Waits no longer than API Gateway would. The function goes on without a caller. */
async function inTime(invocation: Promise<InvocationResult>, milliseconds: number): Promise<InvocationResult> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ThrottledError('The function did not answer in time.')), milliseconds);
  });
  try {
    return await Promise.race([invocation, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function refusalOf(error: unknown): GatewayRefusal {
  if (error instanceof GatewayRefusal) return error;
  if (error instanceof URIError) return new GatewayRefusal(400);
  if (error instanceof EventTooLargeError) return new GatewayRefusal(413);
  if (error instanceof ThrottledError) return new GatewayRefusal(503);
  return new GatewayRefusal(500);
}

function newRequestId(): string {
  return `${randomBytes(11).toString('base64url')}=`;
}

function write(response: ServerResponse, { status, headers, body }: HttpAnswer, added: Record<string, string>): void {
  const hasBody = status !== 204 && status !== 304;
  const length = hasBody ? { 'content-length': Buffer.byteLength(body) } : {};
  const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...own } = headers;
  response.writeHead(status, { ...own, ...added, ...length }).end(hasBody ? body : undefined);
}
