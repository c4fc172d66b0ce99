import type { SQSEvent } from 'aws-lambda';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { consume } from '#shared/queue/consume.ts';
import { useLog } from '#test/support/log.ts';

/** What a worker makes of a batch; the local cloud gives it to one as Lambda does. */

const SECRET = 'the-secret-that-nobody-may-see';

const context = { getRemainingTimeInMillis: () => 1_234 };

const thing = v.object({ name: v.string() });

/** The members that a worker reads, in the shape of an event of SQS. */
function eventOf(bodies: readonly string[]): SQSEvent {
  const records = bodies.map((body, position) => ({
    messageId: `m${position}`,
    body,
    eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:things.fifo',
    attributes: { MessageGroupId: 'group', ApproximateReceiveCount: '2' },
  }));
  return JSON.parse(JSON.stringify({ Records: records }));
}

const things = (...names: readonly string[]) => eventOf(names.map((name) => JSON.stringify({ name })));

const failuresFrom = (first: number, count: number) => ({
  batchItemFailures: Array.from({ length: count - first }, (_, i) => ({ itemIdentifier: `m${first + i}` })),
});

const { written, recordLog } = useLog();

describe('a worker', () => {
  it('handles the messages of a batch in their order, one at a time', async () => {
    const steps: string[] = [];
    const worker = consume(thing, async ({ name }) => {
      steps.push(`${name} begins`);
      await Promise.resolve();
      steps.push(`${name} ends`);
    });
    expect(await worker(things('a', 'b'), context)).toEqual({ batchItemFailures: [] });
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('fails the first message that fails and all behind it, which it does not touch', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 10 }), async (outcomes) => {
        const handled: number[] = [];
        const worker = consume(thing, async ({ name }) => {
          handled.push(Number(name));
          if (!outcomes[Number(name)]) throw new Error('made for a test');
        });
        const firstFailure = outcomes.includes(false) ? outcomes.indexOf(false) : outcomes.length;
        const answer = await worker(things(...[...outcomes.keys()].map(String)), context);
        expect(answer).toEqual(failuresFrom(firstFailure, outcomes.length));
        expect(handled).toEqual([...outcomes.keys()].slice(0, firstFailure + 1));
      }),
    );
  });

  it.each([['{'], ['null'], ['{}'], ['{"name":7}'], ['']])('fails a message that it cannot read: %s', async (body) => {
    const handle = vi.fn(async () => undefined);
    expect(await consume(thing, handle)(eventOf([body]), context)).toEqual(failuresFrom(0, 1));
    expect(handle).not.toHaveBeenCalled();
  });

  it('logs one line for each message, without anything of its content', async () => {
    recordLog();
    const worker = consume(thing, async ({ name }) => {
      if (name.endsWith('2')) throw new Error('made for a test');
    });
    await worker(things(`${SECRET}1`, `${SECRET}2`), context);
    await worker(eventOf([JSON.stringify({ name: [SECRET] }), SECRET]), context);
    const log = written.join('');
    vi.restoreAllMocks();
    const lines = log
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const common = { queue: 'things.fifo', group: 'group', receives: 2, durationMilliseconds: expect.any(Number) };
    expect(lines).toMatchObject([
      { message: 'message', messageId: 'm0', ...common },
      { message: 'message failed', messageId: 'm1', ...common, error: { message: 'made for a test' } },
      {
        message: 'message failed',
        messageId: 'm0',
        ...common,
        error: { message: 'The message is malformed at: name' },
      },
    ]);
    expect(log).not.toContain(SECRET);
  });
});
