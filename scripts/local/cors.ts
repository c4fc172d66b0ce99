import type { IncomingHttpHeaders } from 'node:http';
import type { CorsPlan } from './plans/apis.ts';

/** API Gateway answers preflights itself, and its headers replace those of a function. */

type Headers = Readonly<Record<string, string>>;

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

/** A browser refuses the request if there are none. */
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
