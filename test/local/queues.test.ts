import type { SQSRecord } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { Sqs } from '#scripts/local/sqs.ts';
import { eventually, useFixtureCloud } from '#test/support/fixture-app/cloud.ts';
import { deliveriesOf, messageOf, urlOf } from '#test/support/fixture-app/deliveries.ts';
import type { Task } from '#test/support/fixture-app/handlers/worker.ts';

const fixture = useFixtureCloud();

/** Sends tasks to the ordered queue in the order given. */
async function sendInOrder(group: string, tasks: readonly Task[]): Promise<void> {
  for (const task of tasks) {
    await fixture.queues.sendMessage({ QueueUrl: urlOf(fixture.cloud, 'Ordered'), ...messageOf(task, group) });
  }
}

const deliveries = (prefix: string) => deliveriesOf(fixture, prefix);

const deliveredNames = (prefix: string, count: number) =>
  eventually(async () => {
    const found = await deliveries(prefix);
    return found.length >= count ? found.map(({ name }) => name) : undefined;
  });

describe('a FIFO queue', () => {
  it('goes on with other groups while one is busy', async () => {
    await sendInOrder('g2', [{ name: 'busy-slow', sleepMilliseconds: 600 }, { name: 'busy-next' }]);
    await sendInOrder('g3', [{ name: 'busy-other' }]);
    expect(await deliveredNames('busy-', 3)).toEqual(['busy-slow', 'busy-other', 'busy-next']);
  });

  it('delivers a failed message before what follows it, gives it up after its last delivery, and goes on', async () => {
    await sendInOrder('g4', [{ name: 'dead-1', failures: 99, throws: true }, { name: 'dead-2' }]);
    expect(await deliveredNames('dead-', 4)).toEqual(['dead-1', 'dead-1', 'dead-1', 'dead-2']);
  });
});

describe('a queue on a full disk', () => {
  it('keeps a message that was worked on, says so, and goes on with others', async () => {
    const lines: unknown[] = [];
    const end = fixture.cloud.logs.subscribe(({ record }) => lines.push(record.message));
    const fail = () => {
      throw new Error('database or disk is full');
    };
    vi.spyOn(Sqs.prototype, 'delete').mockImplementationOnce(fail);
    await sendInOrder('g5', [{ name: 'full-1' }]);
    await expect.poll(() => lines).toContainEqual(expect.stringMatching(/^Cannot delete from .*disk is full$/));
    end();
    await sendInOrder('g6', [{ name: 'full-2' }]);
    expect(await deliveredNames('full-', 2)).toEqual(['full-1', 'full-2']);
  });
});

describe('a queue with batches', () => {
  it('delivers them, and of a batch only what failed again', async () => {
    const names = ['batch-a', 'batch-b', 'batch-c', 'batch-d'];
    await fixture.queues.sendMessageBatch({
      QueueUrl: urlOf(fixture.cloud, 'Batched'),
      Entries: names.map((name) => ({
        Id: name,
        ...messageOf({ name, failures: name === 'batch-b' ? 2 : 0 }, name),
      })),
    });
    const delivered = ['batch-a', 'batch-b', 'batch-b', 'batch-b', 'batch-c', 'batch-d'];
    expect((await deliveredNames('batch-', 6)).toSorted()).toEqual(delivered);
    const [first] = await deliveries('batch-a');
    const record: SQSRecord = JSON.parse(first?.record ?? '');
    expect(record).toMatchObject({
      messageId: expect.any(String),
      receiptHandle: expect.any(String),
      body: '{"name":"batch-a","failures":0}',
      attributes: {
        ApproximateReceiveCount: '1',
        MessageGroupId: 'batch-a',
        SentTimestamp: expect.any(String),
      },
      md5OfBody: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventSource: 'aws:sqs',
      eventSourceARN: expect.stringMatching(/^arn:aws:sqs:us-east-1:000000000000:FixtureData-Batched/),
      awsRegion: 'us-east-1',
    });
  });
});
