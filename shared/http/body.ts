import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import jsonBodyParser from '@middy/http-json-body-parser';
import { faulty, Problem } from '#shared/domain/problems.ts';
import { BODY_LIMITS, payloadTooLarge } from './body-limits.ts';
import { type HttpRequest, header } from './exchange.ts';

const decompress = promisify(gunzip);

const parser = jsonBodyParser();

/**
 * The body as a JSON value. A body may be absent only if all its members are optional; it is then an empty object.
 *
 * @throws Problem `unsupported_media_type`, `unsupported_encoding`, `malformed_encoding`, `malformed_json`,
 * `payload_too_large`
 */
export async function readBody(request: HttpRequest, isOptional: boolean): Promise<unknown> {
  if (request.event.body) assertUnicode(request);
  await inflate(request);
  if (!request.event.body) {
    if (isOptional) return {};
    throw new Problem('malformed_json', { detail: 'The request needs a JSON body.', errors: [wholeBody('required')] });
  }
  try {
    await parser.before?.(request as Parameters<NonNullable<typeof parser.before>>[0]);
  } catch (error) {
    throw asProblem(error);
  }
  return request.event.body;
}

/** Names of UTF-8 and of its ASCII part. JSON has no other encoding (RFC 8259, 8.1). */
const CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

/** Checked before the bytes are read. Text in another encoding would be called malformed, or be stored wrongly. */
function assertUnicode(request: HttpRequest): void {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(header(request, 'content-type') ?? '') ?? [];
  if (charset === undefined || CHARSETS.has(charset.toLowerCase())) return;
  throw new Problem('unsupported_media_type', { detail: 'Send the body as JSON in UTF-8.' });
}

/**
 * Replaces a packed body by its text, and leaves every other body as it is. API Gateway may have unpacked the body
 * without changing its headers, so the bytes decide.
 */
async function inflate(request: HttpRequest): Promise<void> {
  const { event } = request;
  const encoding = header(request, 'content-encoding')?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new Problem('unsupported_encoding', { detail: 'Send the body as it is or with "Content-Encoding: gzip".' });
  }
  if (typeof event.body !== 'string') return;
  let bytes = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  if (encoding === 'gzip' && isPacked(bytes)) bytes = await unpack(bytes);
  event.body = decodeText(bytes);
  event.isBase64Encoded = false;
}

/** The first two bytes of gzip (RFC 1952, 2.3.1). */
function isPacked(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function unpack(bytes: Buffer): Promise<Buffer<ArrayBuffer>> {
  try {
    return Buffer.from(await decompress(bytes, { maxOutputLength: BODY_LIMITS.unpackedBytes }));
  } catch (error) {
    if (error instanceof RangeError) throw payloadTooLarge();
    throw faulty('malformed_encoding', [wholeBody('gzip')]);
  }
}

/** Decodes bytes that came in base64. Other bodies are text already, and a U+FFFD in them may have been sent. */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('malformed_encoding', { detail: 'The body is not UTF-8.', errors: [wholeBody('utf8')] });
  }
}

/** The parser gives a wrong content type a status. Everything else that it refuses is a body that does not parse. */
function asProblem(error: unknown): Problem {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return status === 415
    ? new Problem('unsupported_media_type', { detail: 'Send the body as application/json.' })
    : faulty('malformed_json', [wholeBody('json')]);
}

function wholeBody(code: string) {
  return { path: '', message: 'Expected a JSON text in UTF-8.', code };
}
