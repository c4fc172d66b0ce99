import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueuePlan } from '#scripts/local/plans/queues.ts';
import { Sqs } from '#scripts/local/sqs.ts';
import { temporaryFolder } from '#test/support/fixture-app/cloud.ts';

interface Received {
  readonly Messages?: readonly {
    readonly Body: string;
    readonly ReceiptHandle: string;
    readonly Attributes: Readonly<Record<string, string>>;
  }[];
}

const plan = (name: string, attributes: Record<string, string>, redrive?: QueuePlan['redrive']): QueuePlan => ({
  name,
  url: `http://local/${name}`,
  arn: `arn:aws:sqs:us-east-1:000000000000:${name}`,
  visibilityTimeoutSeconds: 30,
  redrive,
  attributes,
});

const dead = plan('dead.fifo', { FifoQueue: 'true' });
const queues = [
  dead,
  plan('fifo.fifo', { FifoQueue: 'true' }, { deadLetterTargetArn: dead.arn, maxReceiveCount: 2 }),
  plan('standard', {}),
];

let folder = '';
let sqs: Sqs;

beforeAll(async () => {
  folder = await temporaryFolder();
  sqs = new Sqs(folder, queues);
});

afterAll(async () => {
  sqs.stop();
  await rm(folder, { recursive: true });
});

let sent = 0;

async function send(queue: string, MessageBody: string, MessageGroupId?: string): Promise<void> {
  sent += 1;
  const fifo = MessageGroupId && { MessageGroupId, MessageDeduplicationId: `unique-${sent}` };
  await sqs.call('SendMessage', { QueueUrl: queue, MessageBody, ...fifo });
}

async function receive(queue: string, request: object = {}): Promise<NonNullable<Received['Messages']>> {
  const received: Received = await sqs.call('ReceiveMessage', {
    QueueUrl: queue,
    MaxNumberOfMessages: 10,
    MessageSystemAttributeNames: ['All'],
    ...request,
  });
  return received.Messages ?? [];
}

const bodies = async (queue: string, request?: object) => (await receive(queue, request)).map(({ Body }) => Body);

describe('a FIFO queue', () => {
  it('gives the messages of a group in order, and none while one is in flight', async () => {
    for (const body of ['1', '2', '3']) await send('fifo.fifo', body, 'a');
    const [first, second] = await receive('fifo.fifo', { MaxNumberOfMessages: 2 });
    expect([first?.Body, second?.Body]).toEqual(['1', '2']);
    expect(await receive('fifo.fifo')).toEqual([]);
    await sqs.call('DeleteMessage', { QueueUrl: 'fifo.fifo', ReceiptHandle: first?.ReceiptHandle });
    expect(await receive('fifo.fifo')).toEqual([]);
    await sqs.call('ChangeMessageVisibility', {
      QueueUrl: 'fifo.fifo',
      ReceiptHandle: second?.ReceiptHandle,
      VisibilityTimeout: 0,
    });
    expect(await bodies('fifo.fifo')).toEqual(['2', '3']);
    await sqs.call('PurgeQueue', { QueueUrl: 'fifo.fifo' });
  });

  it('takes a message once, even if it has restarted between', async () => {
    const message = { QueueUrl: 'fifo.fifo', MessageBody: 'once', MessageGroupId: 'b', MessageDeduplicationId: 'same' };
    const first = await sqs.call('SendMessage', message);
    sqs.stop();
    sqs = new Sqs(folder, queues);
    expect(await sqs.call('SendMessage', message)).toEqual(first);
    expect(await bodies('fifo.fifo')).toEqual(['once']);
    await sqs.call('PurgeQueue', { QueueUrl: 'fifo.fifo' });
  });

  it('says of a dead letter where it came from', async () => {
    await send('fifo.fifo', 'bad', 'c');
    for (let delivery = 0; delivery < 3; delivery++) await receive('fifo.fifo', { VisibilityTimeout: 0 });
    const [letter] = await receive('dead.fifo');
    expect(letter).toMatchObject({
      Body: 'bad',
      Attributes: {
        MessageGroupId: 'c',
        ApproximateReceiveCount: '1',
        DeadLetterQueueSourceArn: 'arn:aws:sqs:us-east-1:000000000000:fifo.fifo',
      },
    });
  });

  it('wants a group, and something to tell duplicates by', async () => {
    const message = { QueueUrl: 'fifo.fifo', MessageBody: 'x' };
    await expect(sqs.call('SendMessage', message)).rejects.toThrow('MessageGroupId');
    await expect(sqs.call('SendMessage', { ...message, MessageGroupId: 'd' })).rejects.toThrow(
      'MessageDeduplicationId',
    );
  });
});

describe('a standard queue', () => {
  it('wakes who waits as soon as there is a message', async () => {
    const startedAt = performance.now();
    const waiting = bodies('standard', { WaitTimeSeconds: 20, VisibilityTimeout: 1 });
    await send('standard', 'awaited');
    expect(await waiting).toEqual(['awaited']);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(await bodies('standard', { WaitTimeSeconds: 20 })).toEqual(['awaited']);
    await sqs.call('PurgeQueue', { QueueUrl: 'standard' });
  });

  it('returns with nothing when the wait is over', async () => {
    expect(await receive('standard', { WaitTimeSeconds: 1 })).toEqual([]);
  });

  it('keeps a delayed message back, and counts it', async () => {
    await sqs.call('SendMessage', { QueueUrl: 'standard', MessageBody: 'later', DelaySeconds: 1 });
    expect(await receive('standard')).toEqual([]);
    expect(await sqs.call('GetQueueAttributes', { QueueUrl: 'standard' })).toMatchObject({
      Attributes: { ApproximateNumberOfMessagesDelayed: '1', ApproximateNumberOfMessages: '0' },
    });
    expect(await bodies('standard', { WaitTimeSeconds: 3 })).toEqual(['later']);
  });

  it.each([
    ['an empty batch', []],
    ['more than ten entries', Array.from({ length: 11 }, (_, id) => ({ Id: String(id), MessageBody: 'x' }))],
    ['one id twice', [1, 2].map(() => ({ Id: 'same', MessageBody: 'x' }))],
    ['more than 1 MiB in all', ['a', 'b'].map((Id) => ({ Id, MessageBody: 'x'.repeat(600_000) }))],
  ])('refuses %s', async (_, Entries) => {
    await expect(sqs.call('SendMessageBatch', { QueueUrl: 'standard', Entries })).rejects.toThrow();
  });

  it.each([
    ['over 1 MiB', 'x'.repeat(1_048_577)],
    ['with a control character', 'a\u0000b'],
    ['that is empty', ''],
  ])('refuses a message %s', async (_, MessageBody) => {
    await expect(sqs.call('SendMessage', { QueueUrl: 'standard', MessageBody })).rejects.toThrow();
  });
});
