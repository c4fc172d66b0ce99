import { describe, expect, it } from 'vitest';
import { getProduct } from '#shared/contract/products/get-product.ts';
import { type Answered, assertDocumented } from '#test/support/openapi-validator.ts';

const product = getProduct.example.response;

const path = `/products/${product.id}`;

const headers = {
  'content-type': 'application/json',
  'x-request-id': 'request-1',
  etag: '"a"',
  ratelimit: '"default";r=599;t=1',
  'ratelimit-policy': '"default";q=600;w=60',
};

const problem = {
  type: '/problems/not_found',
  title: 'None',
  status: 404,
  detail: 'It is not there.',
  code: 'not_found',
  requestId: 'request-1',
};

function checking(
  method: string,
  at: string,
  answered: Omit<Answered, 'headers'> & { headers?: Record<string, string> },
) {
  const type = answered.status >= 400 ? { 'content-type': 'application/problem+json' } : {};
  const all = new Headers({ ...headers, ...type, ...answered.headers });
  return () => assertDocumented(method, at, { ...answered, headers: all });
}

describe('a response', () => {
  it('fails for a member that nobody documented, in a response or a problem', () => {
    expect(checking('GET', path, { status: 200, body: { data: { ...product, secret: 1 } } })).toThrow('"secret"');
    expect(checking('GET', path, { status: 404, body: { ...problem, secret: 1 } })).toThrow('"secret"');
  });

  it('fails for a member that is missing or of another type', () => {
    const { name, ...nameless } = product;
    expect(checking('GET', path, { status: 200, body: { data: nameless } })).toThrow(`'name'`);
    expect(checking('GET', path, { status: 200, body: { data: { ...product, price: 1 } } })).toThrow(
      'body/data/price must be string',
    );
  });

  it('fails for a status, a content type or a problem that the operation does not have', () => {
    expect(checking('GET', path, { status: 418, body: problem })).toThrow('its statuses are 200');
    expect(checking('GET', path, { status: 200, headers: { 'content-type': 'text/html' }, body: '' })).toThrow(
      '"text/html"',
    );
    expect(checking('GET', path, { status: 404, body: { ...problem, code: 'rate_limited' } })).toThrow('body/code');
  });

  it('fails without the headers that every authenticated response has', () => {
    const bare = new Headers({ 'content-type': 'application/json' });
    expect(() => assertDocumented('GET', path, { status: 200, headers: bare, body: { data: product } })).toThrow(
      /x-request-id is missing\n.*ETag is missing\n.*RateLimit is missing\n.*RateLimit-Policy is missing/,
    );
  });
});
