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

  it.each([
    ['an empty title', { title: '' }, 'its title is empty'],
    ['a detail that is no sentence', { detail: 'gone' }, 'its detail is no sentence: "gone"'],
    [
      'an empty message',
      { errors: [{ path: 'name', message: '', code: 'required' }] },
      'the message of name is no sentence: ""',
    ],
  ])('fails for a problem with %s', (_, change, told) => {
    expect(checking('GET', path, { status: 404, body: { ...problem, ...change } })).toThrow(told);
  });

  it('fails without the headers that every authenticated response has', () => {
    const bare = new Headers({ 'content-type': 'application/json' });
    const check = () => assertDocumented('GET', path, { status: 200, headers: bare, body: { data: product } });
    expect(check).toThrow(
      /x-request-id is missing\n.*ETag is missing\n.*RateLimit is missing\n.*RateLimit-Policy is missing/,
    );
  });

  it('of no route is a problem of the catalogue', () => {
    expect(checking('GET', '/nowhere', { status: 404, body: problem })).toThrow('body/code');
    const wrongMethod = { ...problem, status: 405, code: 'method_not_allowed' };
    expect(checking('PATCH', '/products', { status: 405, body: wrongMethod })).toThrow('Allow');
    const misplaced = { status: 404, body: { ...problem, status: 400, code: 'route_not_found' } };
    expect(checking('GET', '/nowhere', misplaced)).toThrow('the body says 400');
    const plain = { headers: { 'content-type': 'application/json' }, body: { ...problem, code: 'route_not_found' } };
    expect(checking('GET', '/nowhere', { status: 404, ...plain })).toThrow('content-type');
  });
});
