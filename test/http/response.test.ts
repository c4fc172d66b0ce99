import * as v from 'valibot';
import { expect, it } from 'vitest';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { checked, response } from '#shared/http/response.ts';

it('a file has ten thousand rows at most, whatever it is made of', () => {
  const table = ({ count }: { count: number }) => ({ columns: ['n'], rows: Array(count).fill([1]) });
  const endpoint = defineEndpoint({
    operationId: 'count',
    method: 'GET',
    path: '/count',
    area: 'meta',
    summary: 'Count',
    scope: null,
    response: { kind: 'resource', status: 200, schema: v.object({ count: v.number() }) },
    csv: { fileName: 'count.csv', table, example: { result: { count: 1 } } },
    example: {},
  });
  const fileOf = (count: number) => response(endpoint, { count }, { path: '/count', query: {}, isExport: true });
  expect(fileOf(10_000).statusCode).toBe(200);
  expect(() => fileOf(10_001)).toThrow(expect.objectContaining({ code: 'export_too_large' }));
});

it('what breaks a schema is named by all its places', () => {
  const schema = v.object({ id: v.string(), lines: v.array(v.object({ name: v.string() })) });
  const broken = { id: 1, lines: [{ name: 2 }] };
  expect(() => checked(schema, broken, 'echo')).toThrow('The response of echo breaks its schema at: id, lines.0.name');
});
