import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { database } from '#shared/data/table/database.ts';
import { Client } from '#test/support/client.ts';
import { requests } from '#test/support/linked-requests.ts';
import { useLog } from '#test/support/log.ts';
import { isWriter } from '#test/support/writers.ts';

/** Every answer is built before the transaction that makes it true, with or without an `Idempotency-Key`. */

const answersData = ({ response }: Endpoint): boolean => 'schema' in response;

/** Makes every answer of an operation one that cannot be shown. */
function breakAnswersOf({ response }: Endpoint): () => void {
  const whole = { ...response };
  Object.assign(response, { schema: v.never() });
  return () => Object.assign(response, whole);
}

const { recordLog } = useLog();

beforeEach(recordLog);

it.each(requests((endpoint) => isWriter(endpoint) && answersData(endpoint)))(
  '$title writes nothing if its answer cannot be shown',
  async ({ endpoint, prepare }) => {
    const { credential, path, asked } = await prepare();
    const caller = new Client(credential);
    const ask = async (headers: Record<string, string>) =>
      (await caller.send(endpoint.method, path, { ...asked, headers: { ...asked.headers, ...headers } })).status;
    const calls = vi.spyOn(database, 'send').mock.calls;
    const mend = breakAnswersOf(endpoint);
    try {
      expect(await ask({})).toBe(500);
      expect(await ask({ 'idempotency-key': 'key' })).toBe(500);
    } finally {
      mend();
    }
    expect(calls.filter(([command]) => command instanceof TransactWriteCommand)).toEqual([]);
    expect(await ask({ 'idempotency-key': 'key' })).toBeLessThan(300);
  },
);
