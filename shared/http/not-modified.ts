import { matchesWeakly, parseTags } from './entity-tag.ts';
import { header, onResponse, type Step } from './exchange.ts';
import { IGNORED_HEADER } from './ignored.ts';

/** Answers 304 without a body if the caller has what the response's `ETag` names (RFC 9110, 13.1.2). */
export function notModified(): Step {
  return onResponse((request, response) => {
    const { etag } = response.headers;
    const tags = parseTags(header(request, 'if-none-match') ?? '');
    if (etag === undefined || tags === undefined) return;
    if (request.event.requestContext?.http?.method !== 'GET' || !matchesWeakly(tags, etag)) return;
    // The type stays: the gateway would give an answer without a type one of its own.
    const { 'content-encoding': _, [IGNORED_HEADER]: __, ...headers } = response.headers;
    Object.assign(response, { statusCode: 304, headers, body: '', isBase64Encoded: false });
  });
}
