import { describe, expect, it } from 'vitest';
import { getProduct } from '#shared/contract/products.ts';
import { type Answered, assertDocumented } from '#test/support/openapi-validator.ts';

const product = getProduct.example.answer;

const path = `/products/${product.id}`;

const headers = {
  'content-type': 'application/json',
  'x-request-id': 'request-1',
  ratelimit: '"default";r=599;t=1',
  'ratelimit-policy': '"default";q=600;w=60',
};

const problem = { type: '/problems/not_found', title: 'None', status: 404, code: 'not_found', requestId: 'request-1' };

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
  it('passes when it is as documented', () => {
    expect(checking('GET', path, { status: 200, body: { data: product } })).not.toThrow();
    expect(checking('GET', path, { status: 404, body: problem })).not.toThrow();
    expect(checking('DELETE', path, { status: 200, body: { success: true, id: product.id } })).not.toThrow();
    expect(checking('GET', '/health', { status: 200, body: { status: 'ok' } })).not.toThrow();
  });

  it('fails for a member that nobody documented, in an answer or a problem', () => {
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
    const check = () => assertDocumented('GET', path, { status: 200, headers: bare, body: { data: product } });
    expect(check).toThrow(/x-request-id is missing\n.*RateLimit is missing\n.*RateLimit-Policy is missing/);
  });

  it('fails for a bad request that does not say what is bad', () => {
    const silent = { ...problem, status: 422, code: 'validation_failed' };
    expect(checking('GET', path, { status: 422, body: silent })).toThrow(`'errors'`);
  });

  it('of no route is a problem of the catalogue', () => {
    expect(checking('GET', '/nowhere', { status: 404, body: { ...problem, code: 'route_not_found' } })).not.toThrow();
    expect(checking('GET', '/nowhere', { status: 404, body: problem })).toThrow('body/code');
    const wrongMethod = { ...problem, status: 405, code: 'method_not_allowed' };
    expect(
      checking('PATCH', '/products', { status: 405, headers: { allow: 'GET, POST' }, body: wrongMethod }),
    ).not.toThrow();
    expect(checking('PATCH', '/products', { status: 405, body: wrongMethod })).toThrow('Allow');
  });
});
