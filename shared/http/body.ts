import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { Endpoint, FileLimits, SentFile } from '#shared/contract/endpoint.ts';
import { offsetOfFault } from '#shared/domain/json-fault.ts';
import { inexactNumbers } from '#shared/domain/json-numbers.ts';
import { assertParsable } from '#shared/domain/json-shape.ts';
import { faulty, MAX_VIOLATIONS, Problem, type Violation } from '#shared/domain/problems.ts';
import { DEFAULT_BODY_MEBIBYTES, MEBIBYTE, payloadTooLarge } from './body-limits.ts';
import { header, type Received } from './exchange.ts';

type BodyLimits = Pick<Endpoint, 'bodyOptional' | 'bodyMebibytes' | 'bodyTakesAnyNames'>;

const decompress = promisify(gunzip);

/**
 * Size, depth and number of values are known before a body is parsed, so none costs much more than it is worth.
 *
 * @throws Problem `unsupported_media_type`, `unsupported_encoding`, `malformed_encoding`, `malformed_json`,
 *   `payload_too_large`, `validation_failed`
 */
export async function readBody(
  request: Received,
  { bodyOptional, bodyMebibytes, bodyTakesAnyNames }: BodyLimits,
): Promise<unknown> {
  const bytes = await bytesOf(request, (bodyMebibytes ?? DEFAULT_BODY_MEBIBYTES) * MEBIBYTE);
  if (bytes.length === 0) {
    if (bodyOptional) return {};
    throw new Problem('malformed_json', { detail: 'The request needs a JSON body.', errors: [wholeBody('required')] });
  }
  assertJson(request);
  assertParsable(bytes);
  const text = decodeText(bytes);
  const body = await parse(text, bodyTakesAnyNames);
  assertExact(text);
  return body;
}

/** @throws Problem `unsupported_media_type`, `unsupported_encoding`, `malformed_encoding`, `payload_too_large`, `validation_failed` */
export async function readFile(request: Received, { contentTypes, maxBytes }: FileLimits): Promise<SentFile> {
  const bytes = await bytesOf(request, maxBytes);
  const types = contentTypes.join(' or ');
  if (bytes.length === 0) {
    throw faulty('validation_failed', [{ path: '', message: `Expected a file: ${types}.`, code: 'required' }]);
  }
  const [type = ''] = (header(request, 'content-type') ?? '').split(';');
  const contentType = type.trim().toLowerCase();
  if (contentTypes.includes(contentType)) return { contentType, bytes };
  throw new Problem('unsupported_media_type', { detail: `Send the file as ${types}, as its Content-Type says.` });
}

async function parse(text: string, takesAnyNames: boolean | undefined): Promise<unknown> {
  try {
    return takesAnyNames ? JSON.parse(text) : await parseGuarded(text);
  } catch (error) {
    throw faulty('malformed_json', [isForbiddenName(error) ? FORBIDDEN_NAME : brokenJson(text)]);
  }
}

/** Whatever member it is: money that is rounded in silence is worse than a refusal. */
function assertExact(text: string): void {
  const [first, ...others] = inexactNumbers(text, MAX_VIOLATIONS).map((path) => ({
    path,
    message: 'This number would lose digits: send it as a text.',
    code: 'number_precision',
  }));
  if (first) throw faulty('validation_failed', [first, ...others]);
}

/** `assertJson` checks the content type, and its charset too, which the parser ignores. */
const parser = jsonBodyParser({ disableContentTypeCheck: true });

type ParserRequest = Parameters<NonNullable<typeof parser.before>>[0];

/** Refuses names that change the prototype of an object. No step of the stack, because the event may have it packed. */
async function parseGuarded(text: string): Promise<unknown> {
  const request = { event: { body: text } };
  await parser.before?.(request as ParserRequest);
  return request.event.body;
}

/** The parser's error for such a name differs by its message alone from that for a text that is not JSON. */
function isForbiddenName(error: unknown): boolean {
  return error instanceof Error && error.message === 'Forbidden key in JSON body';
}

const FORBIDDEN_NAME = {
  path: '',
  message: 'Expected no member "__proto__", and none "constructor" with a "prototype".',
  code: 'name',
};

/** JSON, or a format that is written in JSON (RFC 6839, 3.1). */
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json *(?:;|$)/i;

/** JSON has no encoding but UTF-8, of which ASCII is a part (RFC 8259, 8.1). */
const CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

function assertJson(request: Received): void {
  const contentType = header(request, 'content-type') ?? '';
  if (!JSON_TYPE.test(contentType)) {
    throw new Problem('unsupported_media_type', { detail: 'Send the body as application/json.' });
  }
  const [, charset] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType) ?? [];
  if (charset === undefined || CHARSETS.has(charset.toLowerCase())) return;
  throw new Problem('unsupported_media_type', { detail: 'Send the body as JSON in UTF-8.' });
}

/** API Gateway may have unpacked the body without changing its headers, so the bytes decide. */
async function bytesOf(request: Received, maxBytes: number): Promise<Buffer> {
  const { body, isBase64Encoded } = request.event;
  const encoding = header(request, 'content-encoding')?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new Problem('unsupported_encoding', { detail: 'Send the body as it is or with "Content-Encoding: gzip".' });
  }
  const sent = Buffer.from(typeof body === 'string' ? body : '', isBase64Encoded ? 'base64' : 'utf8');
  const bytes = encoding === 'gzip' && isPacked(sent) ? await unpack(sent, maxBytes) : sent;
  if (bytes.length > maxBytes) throw payloadTooLarge(maxBytes);
  return bytes;
}

/** The first two bytes of gzip (RFC 1952, 2.3.1). */
function isPacked(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function unpack(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await decompress(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw payloadTooLarge(maxBytes);
    throw faulty('malformed_encoding', [wholeBody('gzip')]);
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('malformed_encoding', { detail: 'The body is not UTF-8.', errors: [wholeBody('utf8')] });
  }
}

/** Finding the fault takes longer than parsing, so it is not done for the largest bodies. */
function brokenJson(text: string): Violation {
  const whole = wholeBody('json');
  if (text.length > MEBIBYTE) return whole;
  const before = text.slice(0, offsetOfFault(text));
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  return { ...whole, message: `${whole.message} This one is invalid from line ${line}, column ${column} on.` };
}

function wholeBody(code: string): Violation {
  return { path: '', message: 'Expected a JSON text in UTF-8.', code };
}
