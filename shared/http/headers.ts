import { onResponse, requestIdOf, type Step } from './exchange.ts';

/** The OWASP REST security cheat sheet asks these of every response. The gateway adds the CORS headers. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'permissions-policy': 'interest-cohort=()',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export function responseHeaders(): Step {
  return onResponse((request, response) => {
    response.headers = {
      ...SECURITY_HEADERS,
      'x-request-id': requestIdOf(request),
      ...request.internal.headers,
      ...response.headers,
    };
  });
}
