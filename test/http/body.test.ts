import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { STATUS_OF_KIND } from '#shared/contract/statuses.ts';
import { PROBLEMS, Problem } from '#shared/domain/problems.ts';
import { readBody, readFile } from '#shared/http/body.ts';
import { routes } from '#shared/routes.ts';

const MEBIBYTE = 1_048_576;

/** The code of the fault in a body that is refused with a 400, or else the body as text. */
async function outcomeOf(endpoint: Endpoint, body: string): Promise<unknown> {
  const event = { headers: { 'content-type': 'application/json' }, body };
  try {
    return JSON.stringify(await readBody({ event }, endpoint));
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'malformed_json') return error;
    expect(STATUS_OF_KIND[PROBLEMS[error.code].kind]).toBe(400);
    return error.details.errors?.map(({ code }) => code);
  }
}

const BAD_TEXTS = ['{', '{"name":"x",}', "{'name':'x'}", 'NaN', '[1,]', ' ', 'Forbidden key in JSON body'];

const PROTOTYPES = [
  '{"__proto__":{"sku":"y"}}',
  '{"\\u005f_proto__":1}',
  '{"lineItems":[{"more":{"__proto__":null}}]}',
  '{"constructor":{"prototype":{}}}',
];

const OTHER_NAMES = ['{"constructor":"y"}', '{"prototype":{}}', '{"toString":1}', '{"name":"__proto__"}'];

const withBody = routes.filter(({ body }) => body);
const guarded = withBody.filter(({ bodyTakesAnyNames }) => !bodyTakesAnyNames);
const others = withBody.filter(({ bodyTakesAnyNames }) => bodyTakesAnyNames);
const named = (endpoints: readonly Endpoint[]) => endpoints.map((each) => [each.operationId, each] as const);

describe('a body', () => {
  it.each(named(withBody))('is refused with a 400 where it is no JSON: %s', async (_, endpoint) => {
    for (const text of BAD_TEXTS) expect(await outcomeOf(endpoint, text), text).toEqual(['json']);
  });

  it.each(named(guarded))('may not name a prototype, at any depth: %s', async (_, endpoint) => {
    for (const text of PROTOTYPES) expect(await outcomeOf(endpoint, text), text).toEqual(['name']);
    for (const text of OTHER_NAMES) expect(await outcomeOf(endpoint, text)).toBe(text);
  });

  it.each(named(others))('may have any names where callers choose some: %s', async (_, endpoint) => {
    for (const text of [...PROTOTYPES, ...OTHER_NAMES]) {
      expect(await outcomeOf(endpoint, text)).toBe(JSON.stringify(JSON.parse(text)));
    }
  });
});

const SENT = { name: 'x' };
const TEXT = JSON.stringify(SENT);
const ofBytes = (bytes: number) => TEXT.padEnd(bytes);
const ofType = (type: string) => ({ 'content-type': type });
const JSON_SENT = ofType('application/json');
const encoded = (encoding: string) => ({ ...JSON_SENT, 'content-encoding': encoding });

type Headers = Readonly<Record<string, string>>;
type Limits = Parameters<typeof readBody>[1];

/** Bytes come as the gateway hands over what is no text. */
function read(body: string | Buffer | undefined, headers: Headers = JSON_SENT, limits: Limits = {}): Promise<unknown> {
  const sent = Buffer.isBuffer(body) ? { body: body.toString('base64'), isBase64Encoded: true } : { body };
  return readBody({ event: { headers, ...sent } }, limits);
}

describe('a body that is JSON', () => {
  it.each<[string, string | Buffer, Headers]>([
    ['as bytes', Buffer.from(TEXT), JSON_SENT],
    ['of a type in other letters', TEXT, ofType('APPLICATION/JSON ; a=b')],
    ['in UTF-8, without a hyphen', TEXT, ofType('application/json;Charset = "UTF8"; a=b')],
    ['packed', gzipSync(TEXT), encoded(' GZip ')],
    ['which the gateway has unpacked', TEXT, encoded('gzip')],
    ['encoded as nothing', TEXT, encoded('')],
    ['encoded as it is', TEXT, encoded('identity')],
    ['of 1 MiB, packed', gzipSync(ofBytes(MEBIBYTE)), encoded('gzip')],
  ])('is taken %s', async (_, body, headers) => {
    expect(await read(body, headers)).toEqual(SENT);
  });

  it.each([
    [1, {}],
    [2, { bodyMebibytes: 2 }],
  ])('may have %i MiB where the endpoint says so', async (mebibytes, limits) => {
    expect(await read(ofBytes(mebibytes * MEBIBYTE), JSON_SENT, limits)).toEqual(SENT);
    await expect(read(ofBytes(mebibytes * MEBIBYTE + 1), JSON_SENT, limits)).rejects.toMatchObject({
      code: 'payload_too_large',
      message: `The body may have ${mebibytes} MiB once it is unpacked. Send less at once.`,
    });
  });

  it('may be missing where the endpoint says so, of whatever type', async () => {
    for (const headers of [{}, ofType('text/plain')]) {
      expect(await read('', headers, { bodyOptional: true })).toEqual({});
      expect(await read(undefined, headers, { bodyOptional: true })).toEqual({});
    }
  });
});

describe('a body that cannot be taken', () => {
  const CUT = gzipSync(TEXT).subarray(0, -9);

  it.each<[string, string, string | Buffer | undefined, Headers, string?]>([
    ['there is none', 'malformed_json', undefined, JSON_SENT, 'required'],
    ['it is empty', 'malformed_json', '', {}, 'required'],
    ['it has no type', 'unsupported_media_type', TEXT, {}],
    ['it is no JSON by its type', 'unsupported_media_type', TEXT, ofType('text/json')],
    ['its type only begins like JSON', 'unsupported_media_type', TEXT, ofType('application/jsonl')],
    ['its type only ends like JSON', 'unsupported_media_type', TEXT, ofType('text/application/json')],
    ['it is cut off, and packed', 'malformed_encoding', CUT, encoded('gzip'), 'gzip'],
    ['it is packed, and does not say so', 'malformed_encoding', gzipSync(TEXT), JSON_SENT, 'utf8'],
    ['it only begins like what is packed', 'malformed_json', '\u001f{}', encoded('gzip'), 'json'],
    [
      'only its second byte is that of what is packed',
      'malformed_encoding',
      Buffer.of(0x7b, 0x8b),
      encoded('gzip'),
      'utf8',
    ],
    ['it is no UTF-8', 'malformed_encoding', Buffer.from('{"name":"caf\u00e9"}', 'latin1'), JSON_SENT, 'utf8'],
    ['it is nested too deep', 'malformed_json', '['.repeat(33), JSON_SENT, 'depth'],
    ['it names a prototype', 'malformed_json', '{"__proto__":1}', JSON_SENT, 'name'],
    ['it has a byte too many once unpacked', 'payload_too_large', gzipSync(ofBytes(MEBIBYTE + 1)), encoded('gzip')],
  ])('is refused where %s: %s', async (_, code, body, headers, fault?: string) => {
    const errors = [{ path: '', message: expect.stringMatching(/^Expected .+\.$/), code: fault }];
    await expect(read(body, headers)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^\w.+\.$/),
      ...(fault && { details: { errors } }),
    });
  });

  it('is unpacked no further than it may go', async () => {
    const cut = gzipSync(ofBytes(2 * MEBIBYTE)).subarray(0, -9);
    await expect(read(cut, encoded('gzip'))).rejects.toMatchObject({ code: 'payload_too_large' });
  });

  it('is told where it stops being JSON, unless it has more than 1 MiB', async () => {
    const faultOf = async (text: string) => {
      const refusal = await read(text, JSON_SENT, { bodyMebibytes: 2 }).catch((error: unknown) => error);
      return refusal instanceof Problem ? refusal.details.errors : refusal;
    };
    const told = (end: string) => [{ path: '', message: `Expected a JSON text in UTF-8.${end}`, code: 'json' }];
    expect(await faultOf('{\n  "name": "x",\n  price: 1\n}')).toEqual(
      told(' This one is invalid from line 3, column 3 on.'),
    );
    expect(await faultOf('{x'.padEnd(MEBIBYTE))).toEqual(told(' This one is invalid from line 1, column 2 on.'));
    expect(await faultOf('{x'.padEnd(MEBIBYTE + 1))).toEqual(told(''));
  });

  it('is refused with all numbers that would lose digits, up to a hundred', async () => {
    const refusal = (path: string) => ({ path, message: expect.stringContaining('text'), code: 'number_precision' });
    const refused = (text: string) => expect(read(text)).rejects;
    await refused('{"a":0.1,"b":[1,12345678901234567890],"c":0.10000000000000000001}').toMatchObject({
      code: 'validation_failed',
      details: { errors: [refusal('b.1'), refusal('c')] },
    });
    const errors = Array.from({ length: 100 }, (_, i) => refusal(`${i}`));
    await refused(`[${Array(101).fill('0.10000000000000000001')}]`).toMatchObject({ details: { errors } });
  });
});

describe('a file', () => {
  const KIBIBYTE = 1_024;
  const FULL = ' '.repeat(KIBIBYTE);
  const readPicture = (text: string, headers: Headers = { 'content-type': 'Image/PNG ; q=1' }) => {
    const event = { headers, body: Buffer.from(text).toString('base64'), isBase64Encoded: true };
    return readFile({ event }, { contentTypes: ['image/png', 'image/jpeg'], maxBytes: KIBIBYTE });
  };

  it('has at least a byte, no more than it may have, and one of the types that are taken', async () => {
    expect(await readPicture(FULL)).toEqual({ contentType: 'image/png', bytes: Buffer.from(FULL) });
    const missing = { path: '', message: 'Expected a file: image/png or image/jpeg.', code: 'required' };
    await expect(readPicture('')).rejects.toMatchObject({ details: { errors: [missing] } });
    await expect(readPicture(`${FULL} `)).rejects.toMatchObject({
      code: 'payload_too_large',
      message: 'The body may have 1 KiB once it is unpacked. Send less at once.',
    });
    const others: readonly Headers[] = [{}, { 'content-type': 'image/gif' }];
    for (const headers of others) {
      await expect(readPicture(FULL, headers)).rejects.toMatchObject({ code: 'unsupported_media_type' });
    }
  });
});
