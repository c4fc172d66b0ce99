import * as v from 'valibot';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { STATUS_OF_KIND } from '#shared/contract/statuses.ts';
import { PROBLEMS, Problem } from '#shared/domain/problems.ts';
import { readBody } from '#shared/http/body.ts';
import { validateBody } from '#shared/http/validation.ts';

/**
 * Bodies that cost a parser or a schema far more than they cost their sender. Each is a text of at most so many bytes,
 * and as long as it can be.
 */

type Body = (bytes: number) => string;

/** `repeated('{"x":[', '0,', '0]}', 100)` */
function repeated(head: string, part: string, tail: string, bytes: number): string {
  return `${head}${part.repeat(Math.max(0, Math.floor((bytes - head.length - tail.length) / part.length)))}${tail}`;
}

/** Objects keep names that are numbers far from each other in another way than near ones. */
const SPREAD = 8_191;

/** Parts that differ by a number: `@` stands for its digits in base 36, `#` for those in base 10. */
function numbered(head: string, part: string, tail: string, bytes: number): string {
  const [before = '', after = ''] = part.split(/[@#]/);
  const digitsOf = part.includes('#') ? (i: number) => String(i * SPREAD) : (i: number) => i.toString(36);
  const partBytes = Buffer.byteLength(before + after);
  let text = head;
  for (let i = 0, left = bytes - head.length - tail.length; ; i++) {
    const digits = digitsOf(i);
    left -= partBytes + digits.length;
    if (left < 0) return text + tail;
    text += before + digits + after;
  }
}

/** A row without a right value, in as few bytes as it takes. */
const WRONG_ROW =
  '{"date":0,"durationMinutes":"","description":0,"project":0,"client":0,"user":0,"externalId":0,"billable":0,"rate":"","currency":0}';

const MAX_ROWS = 10_000;

/** Of a body that is still parsed. */
const MAX_NUMBERS = 199_000;

export const COSTLY_BODIES: Readonly<Record<string, Body>> = {
  'empty arrays in a list': (bytes) => repeated('{"rows":[', '[],', '[]]}', bytes),
  'empty arrays in a member that nobody knows': (bytes) => repeated('{"nobody":[', '[],', '[]]}', bytes),
  'empty arrays at the top': (bytes) => repeated('[', '[],', '[]]', bytes),
  'empty objects': (bytes) => repeated('{"lineItems":[', '{},', '{}]}', bytes),
  'zeros for texts': (bytes) => repeated('{"tags":[', '0,', '0]}', bytes),
  'zeros for scopes': (bytes) => repeated('{"scopes":[', '0,', '0]}', bytes),
  'zeros for entries of many lines': (bytes) =>
    repeated('{"lineItems":[', `{"entryIds":[${'0,'.repeat(9_999)}0]},`, '{}]}', bytes),
  'members with names of their own': (bytes) => numbered('{"x":0', ',"@":0', '}', bytes),
  'members with long names of their own': (bytes) => numbered('{"x":0', `,"\u20ac${'x'.repeat(160)}@":0`, '}', bytes),
  'members with numbers for names': (bytes) => numbered('{"x":0', ',"#":0', '}', bytes),
  'one member again and again': (bytes) => repeated('{"x":0', ',"name":0', '}', bytes),
  'objects of which each has another shape': (bytes) => numbered('{"rows":[', '{"@":0},', '{}]}', bytes),
  'names in a mapping': (bytes) =>
    numbered('{"rows":[{}],"clientMapping":{"x":null', ',"@":"019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b"', '}}', bytes),
  'arrays in arrays': (bytes) => repeated('', '[', '', bytes),
  'arrays in arrays, as deep as it may be': (bytes) =>
    repeated('{"nobody":[', `${'['.repeat(30)}${']'.repeat(30)},`, '0]}', bytes),
  'a long number': (bytes) => repeated('{"price":', '1', '}', bytes),
  'a number of many digits behind the point': (bytes) => repeated('{"rate":0.', '1', '}', bytes),
  'a number of zeros between two digits': (bytes) => repeated('{"rate":1', '0', '1}', bytes),
  'numbers that are long for nothing': (bytes) =>
    repeated('{"rows":[', `1.${'0'.repeat(62)},`, '0]}', Math.min(bytes, 65 * MAX_NUMBERS)),
  'a long text beside a long number': (bytes) => repeated('{"rate":12345678901234567890,"name":"', 'x', '"}', bytes),
  'a long text of backslashes beside one': (bytes) => repeated('{"rate":1e1,"name":"', '\\\\', '"}', bytes),
  'a number with a long exponent': (bytes) => repeated('{"durationMinutes":1e', '1', '}', bytes),
  'a long text': (bytes) => repeated('{"name":"', 'x', '"}', bytes),
  'a long text of space': (bytes) => repeated('{"name":"', ' ', 'x","currency":0}', bytes),
  'a long text of lone surrogates': (bytes) => repeated('{"name":"', '\\ud800', '"}', bytes),
  'a long text in the form of an address': (bytes) => repeated('{"name":"","email":"x@', 'x.', '@"}', bytes),
  'a long name': (bytes) => repeated('{"', 'x', '":0}', bytes),
  'a text without an end': (bytes) => repeated('{"name":"', '\\"', '', bytes),
  'nothing but space': (bytes) => repeated('', ' ', '', bytes),
  'rows without a right value': (bytes) =>
    repeated('{"rows":[', `${WRONG_ROW},`, `${WRONG_ROW}]}`, Math.min(bytes, MAX_ROWS * (WRONG_ROW.length + 1) + 10)),
  'rows with a long member that nobody knows': (bytes) => {
    const padding = 'x'.repeat(Math.max(1, Math.floor(bytes / MAX_ROWS) - WRONG_ROW.length - 20));
    const row = `{"nobody":"${padding}",${WRONG_ROW.slice(1)},`;
    return `{"rows":[${row.repeat(MAX_ROWS - 1)}${row.slice(0, -1)}]}`.slice(0, bytes);
  },
};

/** What becomes of a body in this process: `taken`, the status of the refusal, or another error. */
export async function outcomeOf(endpoint: Endpoint, body: Buffer, isPacked: boolean): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(isPacked && { 'content-encoding': 'gzip' }) };
  const event = { headers, body: body.toString('base64'), isBase64Encoded: true };
  try {
    validateBody(endpoint.body ?? v.unknown(), await readBody({ event }, endpoint));
    return 'taken';
  } catch (error) {
    return error instanceof Problem ? STATUS_OF_KIND[PROBLEMS[error.code].kind] : error;
  }
}
