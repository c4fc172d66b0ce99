import { describe, expect, it } from 'vitest';
import { listClients } from '#shared/contract/clients/list-clients.ts';
import { getProduct } from '#shared/contract/products/get-product.ts';
import { stopTimer } from '#shared/contract/tracker/stop-timer.ts';
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

  it('has in a problem the members that its contract names, closed like a response', () => {
    const at = `/v1/work/tracker/timer/${product.id}/stop`;
    const { session, workEntry } = stopTimer.example.response;
    const conflict = { ...problem, status: 409, code: 'timer_not_running', session, workEntry };
    const check = (body: object) => checking('POST', at, { status: 409, body });
    expect(check({ ...conflict, workEntry: undefined })).toThrow("'workEntry'");
    expect(check({ ...conflict, session: { ...session, secret: 1 } })).toThrow('"secret"');
    expect(checking('GET', path, { status: 404, body: { ...problem, session } })).toThrow('"session"');
  });

  it('fails without the headers that every authenticated response has', () => {
    const bare = new Headers({ 'content-type': 'application/json' });
    const check = () => assertDocumented('GET', path, { status: 200, headers: bare, body: { data: product } });
    expect(check).toThrow(
      /x-request-id is missing\n.*ETag is missing\n.*RateLimit is missing\n.*RateLimit-Policy is missing/,
    );
  });

  it('fails for a bad request that does not say what is bad', () => {
    const silent = { ...problem, status: 422, code: 'validation_failed' };
    expect(checking('GET', path, { status: 422, body: silent })).toThrow(`'errors'`);
  });

  it('of a list fails as a mixture of a page by offset and one by cursor', () => {
    const page = {
      pagination: 'offset',
      data: [listClients.example.response],
      meta: { total: 1, limit: 50, offset: 0 },
    };
    const { body, headers: links } = connection({ hasNextPage: false });
    expect(checking('GET', '/clients', { status: 200, headers: links, body: { ...body, ...page } })).toThrow('oneOf');
    expect(checking('GET', '/clients', { status: 200, headers: links, body: page })).toThrow('it has links');
  });

  it('of a page by cursor fails unless it has exactly the links that the page has neighbours for', () => {
    const { body, headers: links } = connection({ hasNextPage: true });
    expect(checking('GET', '/clients', { status: 200, headers: links, body })).toThrow('instead of first, next, last');
    expect(checking('GET', '/clients', { status: 200, body })).toThrow('its links are "null"');
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

/** A page by cursor, with the links of one that has no neighbours. What is right passes here in every test of the API. */
function connection({ hasNextPage }: { hasNextPage: boolean }) {
  const edges = [{ cursor: 'abc', node: listClients.example.response }];
  const pageInfo = { hasNextPage, hasPreviousPage: false, startCursor: 'abc', endCursor: 'abc' };
  return {
    body: { pagination: 'cursor', edges, pageInfo, totalCount: 1 },
    headers: { link: '</clients?first=1>; rel="first", </clients?last=1>; rel="last"' },
  };
}
