import type { IncomingHttpHeaders } from 'node:http';
import type { CorsPlan } from './plans/apis.ts';

/**
 * The API's CORS configuration, as API Gateway applies it. The gateway answers preflights itself, and its headers
 * replace a function's headers.
 */

type Headers = Readonly<Record<string, string>>;

/** The headers of every response. */
export function corsHeaders(cors: CorsPlan | undefined, { origin }: IncomingHttpHeaders): Headers {
  const allowedOrigin = allowed(cors, origin);
  if (!cors || allowedOrigin === undefined) return {};
  return {
    'access-control-allow-origin': allowedOrigin,
    ...(allowedOrigin !== '*' && { vary: 'origin' }),
    ...(cors.AllowCredentials && { 'access-control-allow-credentials': 'true' }),
    ...(cors.ExposeHeaders.length > 0 && { 'access-control-expose-headers': cors.ExposeHeaders.join(',') }),
  };
}

/**
 * The headers of the answer to a preflight. If the origin is not allowed there are none, and the
 * browser refuses the request.
 */
export function preflightHeaders(cors: CorsPlan, request: IncomingHttpHeaders): Headers {
  const common = corsHeaders(cors, request);
  if (common['access-control-allow-origin'] === undefined) return {};
  return {
    ...common,
    'access-control-allow-methods': cors.AllowMethods.join(','),
    'access-control-allow-headers': cors.AllowHeaders.join(','),
    ...(cors.MaxAge !== undefined && { 'access-control-max-age': String(cors.MaxAge) }),
  };
}

function allowed(cors: CorsPlan | undefined, origin: string | undefined): string | undefined {
  if (cors?.AllowOrigins.includes('*')) return '*';
  return origin !== undefined && cors?.AllowOrigins.includes(origin) ? origin : undefined;
}
