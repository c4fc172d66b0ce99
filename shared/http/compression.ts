import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { weightsOf } from './accept.ts';
import { header, onResponse, type Step } from './exchange.ts';

/** Packing smaller bodies gains nothing. */
const THRESHOLD_BYTES = 1_024;

/**
 * A body that is gzipped already stays as it is, unless the client does not accept it. A function has one request at a
 * time, so nobody waits meanwhile: to hand a page of 36 KB to a thread and back took longer than to pack it.
 */
export function compression(): Step {
  return onResponse((request, response) => {
    const bytes = Buffer.from(response.body, response.isBase64Encoded ? 'base64' : 'utf8');
    const isGzipped = response.headers['content-encoding'] === 'gzip';
    if (bytes.length <= THRESHOLD_BYTES && !isGzipped) return;
    response.headers.vary = [response.headers.vary, 'accept-encoding'].filter(Boolean).join(', ');
    const isGzipWanted = acceptsGzip(header(request, 'accept-encoding'));
    if (isGzipWanted === isGzipped) return;
    const body = isGzipWanted ? gzipSync(bytes, { level: constants.Z_BEST_SPEED }) : gunzipSync(bytes);
    if (isGzipWanted) response.headers['content-encoding'] = 'gzip';
    else delete response.headers['content-encoding'];
    response.body = body.toString('base64');
    response.isBase64Encoded = true;
  });
}

/** RFC 9110, 12.5.3: `gzip` or `*`, unless its weight is zero. */
function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const weights = weightsOf(acceptEncoding);
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
