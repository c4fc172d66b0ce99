import { describe, expect, it } from 'vitest';
import type { Reply } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';

const own = useOwnCloud();

describe('a single write that a transaction is in the way of', () => {
  const conflict = {
    status: 400,
    body: JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException', message: 'Busy.' }),
  };

  /** Makes the first request of a key, whose tokens are taken in a single write, while the first writes, as many as that, meet a transaction. */
  async function beginAgainst(conflicts: number): Promise<Reply> {
    const ana = await given.user();
    let met = 0;
    const end = own.cloud.intercept(({ functionName, operation }) => {
      const isWrite = functionName !== undefined && operation === 'UpdateItem';
      return isWrite && ++met <= conflicts ? conflict : undefined;
    });
    try {
      return await ana.get('/products');
    } finally {
      end();
    }
  }

  it('waits for its turn', async () => {
    expect((await beginAgainst(2)).status).toBe(200);
  });

  it('says when to come back where its turn does not come', async () => {
    const { status, body, headers } = await beginAgainst(Number.POSITIVE_INFINITY);
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'temporarily_unavailable' });
    expect(headers.get('retry-after')).toBe('1');
  });
});
