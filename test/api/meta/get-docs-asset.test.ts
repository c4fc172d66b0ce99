import { expect, it } from 'vitest';
import { Client } from '#test/support/client.ts';

it.each([
  '/docs/other.js',
  '/docs/index.html',
  '/docs/..%2findex.js',
  '/docs/reference.css',
  '/docs/reference.css.map',
  '/docs/...js',
])('the reference page has no asset %s', async (path) => {
  const { status, body } = await new Client().get(path);
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
});
