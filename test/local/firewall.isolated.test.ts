import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it, vi } from 'vitest';
import { formatApiKey } from '#shared/domain/keys/api-key.ts';
import { AwsHttp } from '#shared/runtime/aws-http.ts';
import { ORIGIN_HEADER } from '#shared/runtime/origin.ts';
import { request } from '#test/support/api.ts';

/** What functions do with the secrets that a firewall gives them (`test/infra/api.test.ts` shows which get them). */

vi.hoisted(() => {
  process.env.ORIGIN_SECRETS = 'new old';
});

beforeEach(() => void vi.spyOn(AwsHttp.prototype, 'handle'));

/** With a key that is well-formed, and of nobody. */
function ask(path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const authorization = `Bearer ${formatApiKey(randomBytes(32))}`;
  return request((url) => fetch(url + path, { headers: { authorization, ...headers } }));
}

/** What was asked of the table for requests: a function that starts asks for its layout, whoever calls. */
const operations = () =>
  vi
    .mocked(AwsHttp.prototype.handle)
    .mock.calls.map(([{ headers }]) => headers['x-amz-target'])
    .filter((operation) => operation !== 'DynamoDB_20120810.GetItem');

it.each(['/v1/me', '/health', '/nowhere'])(
  'refuses a request that went around the firewall before anything is read, with a key too: %s',
  async (path) => {
    const guesses = ['guessed', '', 'new old'].map((guessed) => ({ [ORIGIN_HEADER]: guessed }));
    for (const headers of [{}, ...guesses]) {
      const reply = await ask(path, headers);
      expect([reply.status, reply.headers.get('content-type')]).toEqual([403, 'application/json']);
      expect(await reply.json()).toEqual({ message: 'Forbidden' });
    }
    expect(operations()).toEqual([]);
  },
);

it.each(['new', 'old'])(
  'lets a request through that brings one of its secrets, as far as its key allows: %s',
  async (secret) => {
    const through = { [ORIGIN_HEADER]: secret };
    const statuses = [];
    for (const path of ['/v1/me', '/health', '/nowhere']) statuses.push((await ask(path, through)).status);
    expect(statuses).toEqual([401, 200, 404]);
    expect(operations()).toEqual(['DynamoDB_20120810.UpdateItem']);
  },
);
