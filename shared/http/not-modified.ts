import { header, onResponse, type Step } from './exchange.ts';

/** Answers 304 without a body if the caller has what the response's `ETag` names (RFC 9110, 13.1.2). */
export function notModified(): Step {
  return onResponse((request, response) => {
    const { etag } = response.headers;
    const known = header(request, 'if-none-match');
    if (etag === undefined || known === undefined || response.statusCode !== 200) return;
    if (request.event.requestContext?.http?.method !== 'GET' || !names(known, etag)) return;
    const { 'content-type': _, 'content-encoding': __, ...headers } = response.headers;
    Object.assign(response, { statusCode: 304, headers, body: '', isBase64Encoded: false });
  });
}

/** Compares weakly, as GET does. */
function names(ifNoneMatch: string, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}
