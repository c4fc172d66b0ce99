import { describe, expect, it } from 'vitest';
import { searchMirror } from '#test/search/mirror.ts';
import type { Json } from '#test/support/client.ts';
import type { User } from '#test/support/given.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';

/** A sample of `npm run search -- mirror`, which plays many times as many rounds. */

const own = useOwnCloud({ instances: true });

/** Of each caller. */
const ACTS = 5;

describe('a copy that is kept by the feed and by GETs alone', () => {
  it('equals all lists in the end, also where calls fail and functions are killed', { timeout: 240_000 }, async () => {
    const { violations, events } = await searchMirror(own.cloud, 2, 1, { actsEach: ACTS });
    expect(violations).toEqual([]);
    expect(events).toBeGreaterThan(50);
  });

  it('differs from the lists if it is not told of work and invoices', { timeout: 240_000 }, async () => {
    const { violations } = await searchMirror(own.cloud, 1, 1, { actsEach: ACTS, askAs: deafToWork });
    expect(violations).not.toEqual([]);
  });
});

/** Most acts change one of them, so that no round of chance leaves all of them alone. */
const WORK = /^(product|client|project|entry|timer|invoice|payment|credit_note)\./;

/** A caller to whom the feed shows no event of work. */
function deafToWork(by: User): Pick<User, 'send'> {
  return {
    send: async (method, path, sending) => {
      const reply = await by.send(method, path, sending);
      if (path !== '/v1/events' || reply.status !== 200) return reply;
      const data = reply.body.data.filter(({ type }: Json) => !WORK.test(type));
      return { ...reply, body: { ...reply.body, data } };
    },
  };
}
