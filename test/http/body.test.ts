import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { STATUS_OF_KIND } from '#shared/contract/statuses.ts';
import { PROBLEMS, Problem } from '#shared/domain/problems.ts';
import { readBody, readFile } from '#shared/http/body.ts';
import { routes } from '#shared/routes.ts';

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

describe('a file', () => {
  const read = (text: string, type = 'Image/PNG; q=1') => {
    const body = Buffer.from(text).toString('base64');
    const event = { headers: { 'content-type': type }, body, isBase64Encoded: true };
    return readFile({ event }, { contentTypes: ['image/png'], maxBytes: 3 });
  };

  it('has at least a byte, no more than it may have, and one of the types that are taken', async () => {
    expect(await read('png')).toEqual({ contentType: 'image/png', bytes: Buffer.from('png') });
    await expect(read('')).rejects.toMatchObject({ details: { errors: [{ path: '', code: 'required' }] } });
    await expect(read('pngs')).rejects.toMatchObject({ code: 'payload_too_large' });
    await expect(read('png', 'image/gif')).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });
});
