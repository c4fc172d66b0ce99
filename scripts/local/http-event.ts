import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ACCOUNT } from './names.ts';
import type { RouteMatch } from './routing.ts';

/** An HTTP request as the event that a function gets: payload format 2.0. */

const DROPPED_HEADERS = new Set([
  'connection',
  'cookie',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** API Gateway passes these types on as text, and all others in base64. */
const TEXT_TYPES = /^(text\/[^;]+|application\/(json|xml|javascript))\s*(;|$)/i;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export interface Target {
  readonly path: string;
  readonly query: string;
}

/** Reads `/path?query`, and the absolute form that proxies use. */
export function targetOf(url: string): Target | undefined {
  const relative = /^https?:\/\/[^/?#]*(.*)$/is.exec(url)?.[1] ?? url;
  const [beforeFragment = ''] = relative.split('#');
  const separator = beforeFragment.indexOf('?');
  const path = (separator < 0 ? beforeFragment : beforeFragment.slice(0, separator)) || '/';
  if (!path.startsWith('/')) return undefined;
  return { path, query: separator < 0 ? '' : beforeFragment.slice(separator + 1) };
}

export interface EventSource {
  readonly request: IncomingMessage;
  readonly target: Target;
  readonly match: RouteMatch;
  readonly body: Buffer;
  readonly requestId: string;
  readonly apiId: string;
  readonly stage: string;
  readonly receivedAt: Date;
}

export function httpEvent(source: EventSource): APIGatewayProxyEventV2 {
  const { request, target, match, body, requestId, apiId, stage, receivedAt } = source;
  const sourceIp = (request.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '');
  const host = request.headers.host ?? 'localhost';
  const domainName = host.replace(/:\d+$/, '');
  const rawPath = decodeURIComponent(target.path);
  const cookies = request.headers.cookie?.split(/;\s*/).filter(Boolean);
  const query = queryParameters(target.query);
  return {
    version: '2.0',
    routeKey: match.route.routeKey,
    rawPath,
    rawQueryString: target.query,
    ...(cookies && { cookies }),
    headers: headersOf(request, body, sourceIp),
    ...(query && { queryStringParameters: query }),
    ...(match.pathParameters && { pathParameters: match.pathParameters }),
    requestContext: {
      accountId: ACCOUNT,
      apiId,
      domainName,
      domainPrefix: domainName.split('.')[0] ?? domainName,
      http: {
        method: request.method ?? 'GET',
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: request.headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: match.route.routeKey,
      stage,
      time: commonLogTime(receivedAt),
      timeEpoch: receivedAt.getTime(),
    },
    ...bodyMembers(request, body),
  };
}

function headersOf(request: IncomingMessage, body: Buffer, sourceIp: string): Record<string, string> {
  const sent = Object.entries(request.headersDistinct).filter(([name]) => !DROPPED_HEADERS.has(name));
  const headers = Object.fromEntries(sent.map(([name, values]) => [name, values?.join(',') ?? '']));
  const forwardedFor = headers['x-forwarded-for'];
  return {
    ...headers,
    ...(body.length > 0 && { 'content-length': String(body.length) }),
    host: request.headers.host ?? 'localhost',
    'x-forwarded-for': forwardedFor ? `${forwardedFor}, ${sourceIp}` : sourceIp,
    'x-forwarded-port': String(request.socket.localPort ?? 0),
    'x-forwarded-proto': 'http',
  };
}

/** The values of a repeated name are joined by commas. */
function queryParameters(query: string): Record<string, string> | undefined {
  if (query === '') return undefined;
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const earlier = values.get(name);
    values.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return Object.fromEntries(values);
}

/**
 * API Gateway is reported to unpack a text, and to leave `Content-Encoding` (https://github.com/dougmoscrop/serverless-
 * http/issues/194). It does not say what happens to other bodies, which come in base64 here.
 */
function bodyMembers({ headers }: IncomingMessage, sent: Buffer): { body?: string; isBase64Encoded: boolean } {
  if (sent.length === 0) return { isBase64Encoded: false };
  const body = TEXT_TYPES.test(headers['content-type'] ?? '') ? textOf(sent, headers['content-encoding']) : undefined;
  return body === undefined
    ? { body: sent.toString('base64'), isBase64Encoded: true }
    : { body, isBase64Encoded: false };
}

/** Half of an event: most texts grow by their quoting. */
const MAXIMUM_UNPACKED_BYTES = 3 * 1_048_576;

/** Bytes that are not UTF-8 are kept, which API Gateway replaces by U+FFFD. */
function textOf(body: Buffer, encoding = 'identity'): string | undefined {
  const bytes = encoding === 'gzip' ? unpacked(body) : body;
  return bytes && isUtf8(bytes) ? bytes.toString() : undefined;
}

function unpacked(body: Buffer): Buffer | undefined {
  try {
    return gunzipSync(body, { maxOutputLength: MAXIMUM_UNPACKED_BYTES });
  } catch {
    return undefined;
  }
}

/** `21/Nov/2026:03:16:58 +0000` */
function commonLogTime(time: Date): string {
  const [date = '', clock = ''] = time.toISOString().split('T');
  const [year, , day] = date.split('-');
  return `${day}/${MONTHS[time.getUTCMonth()]}/${year}:${clock.slice(0, 8)} +0000`;
}
