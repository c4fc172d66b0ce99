import { afterAll, describe, expect, it, vi } from 'vitest';
import type { QueuePlan } from '#scripts/local/plans/queues.ts';
import { Sqs } from '#scripts/local/sqs.ts';
import { folderOfFile } from '#test/support/fixture-app/cloud.ts';

const plan = (name: string, changes: Partial<QueuePlan> = {}): QueuePlan => ({
  name,
  url: `http://local/${name}`,
  arn: `arn:aws:sqs:us-east-1:000000000000:${name}`,
  maximumMessageBytes: 1_048_576,
  visibilityTimeoutSeconds: 30,
  retentionSeconds: 60,
  ...changes,
});

const dead = plan('dead.fifo');
const letters = plan('letters.fifo', { redrive: { deadLetterTargetArn: dead.arn, maxReceiveCount: 2 } });
const ordered = plan('ordered.fifo');
const awaited = plan('awaited.fifo', { visibilityTimeoutSeconds: 1 });
const queues = [dead, letters, ordered, awaited];

const folder = await folderOfFile();
let sqs = new Sqs(folder, queues);

afterAll(() => sqs.stop());

let sent = 0;

function messageOf(MessageBody: string, MessageGroupId = 'group') {
  sent += 1;
  return { MessageBody, MessageGroupId, MessageDeduplicationId: `unique-${sent}` };
}

const send = ({ url }: QueuePlan, body: string) => sqs.call('SendMessage', { QueueUrl: url, ...messageOf(body) });

const MOST = 10;

const bodies = async (queue: QueuePlan, limit = MOST) => (await sqs.receive(queue, limit)).map(({ body }) => body);

/** What is left for a receiver that does not wait. */
const orNothing = (receiving: Promise<string[]>) => Promise.race([receiving, Promise.resolve([])]);

describe('a queue', () => {
  it('gives the messages of a group in order, and none while one is in flight', async () => {
    for (const body of ['1', '2', '3']) send(ordered, body);
    const [first, second] = await sqs.receive(ordered, 2);
    expect([first?.body, second?.body]).toEqual(['1', '2']);
    const next = bodies(ordered);
    expect(await orNothing(next)).toEqual([]);
    sqs.delete(ordered, first?.receipt ?? '');
    expect(await orNothing(next)).toEqual([]);
    sqs.changeVisibility(ordered, second?.receipt ?? '', 0);
    expect(await next).toEqual(['2', '3']);
  });

  it('takes a message once, even if it has restarted between', async () => {
    const message = { QueueUrl: dead.url, ...messageOf('once') };
    const first = sqs.call('SendMessage', message);
    sqs.stop();
    sqs = new Sqs(folder, queues);
    expect(sqs.call('SendMessage', message)).toEqual(first);
    const [received, ...others] = await sqs.receive(dead, MOST);
    expect([received?.body, others]).toEqual(['once', []]);
    sqs.delete(dead, received?.receipt ?? '');
  });

  it('says of a dead letter where it came from', async () => {
    send(letters, 'bad');
    for (let delivery = 0; delivery < 2; delivery++) {
      const [message] = await sqs.receive(letters, 1);
      sqs.changeVisibility(letters, message?.receipt ?? '', 0);
    }
    const none = bodies(letters);
    const [letter] = await sqs.receive(dead, 1);
    expect(letter).toMatchObject({ body: 'bad', groupId: 'group', receiveCount: 1, sourceArn: letters.arn });
    send(letters, 'good');
    expect(await none).toEqual(['good']);
  });

  it('wakes who waits for a message, or for one to be visible again', async () => {
    const waiting = bodies(awaited);
    send(awaited, 'awaited');
    expect(await waiting).toEqual(['awaited']);
    expect(await bodies(awaited)).toEqual(['awaited']);
  });

  it.each([0, 1, 2, 3, 4, 5, 6])('gives a message that becomes visible after %d looks at the clock', async (looks) => {
    const [message] = await sqs.receive(awaited, MOST);
    const visibleAt = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(visibleAt);
    sqs.changeVisibility(awaited, message?.receipt ?? '', 0);
    for (let look = 0; look < looks; look++) clock.mockReturnValueOnce(visibleAt - 1);
    const [again] = await sqs.receive(awaited, MOST);
    clock.mockRestore();
    expect(again?.body).toBe('awaited');
    sqs.changeVisibility(awaited, again?.receipt ?? '', 0);
  });

  it('sends all entries of a batch that it can take', () => {
    const Entries = ['a', '\u0000', 'c'].map((body, index) => ({ Id: String(index), ...messageOf(body) }));
    expect(sqs.call('SendMessageBatch', { QueueUrl: ordered.url, Entries })).toMatchObject({
      Successful: [{ Id: '0' }, { Id: '2' }],
      Failed: [{ Id: '1', SenderFault: true, Code: 'com.amazonaws.sqs#InvalidMessageContents' }],
    });
  });

  it.each([
    ['an empty batch', []],
    ['more than ten entries', Array.from({ length: 11 }, (_, id) => ({ Id: String(id), ...messageOf('x') }))],
    ['one id twice', [1, 2].map(() => ({ Id: 'same', ...messageOf('x') }))],
    ['more than 1 MiB in all', ['a', 'b'].map((Id) => ({ Id, ...messageOf('x'.repeat(600_000)) }))],
  ])('refuses %s', (_, Entries) => {
    expect(() => sqs.call('SendMessageBatch', { QueueUrl: ordered.url, Entries })).toThrow();
  });

  it.each([
    ['over 1 MiB', messageOf('x'.repeat(1_048_577))],
    ['with a control character', messageOf('a\u0000b')],
    ['that is empty', messageOf('')],
    ['without a group', { ...messageOf('x'), MessageGroupId: undefined }],
    ['without a deduplication id', { ...messageOf('x'), MessageDeduplicationId: undefined }],
    ['with a delay of its own', { ...messageOf('x'), DelaySeconds: 1 }],
  ])('refuses a message %s', (_, message) => {
    expect(() => sqs.call('SendMessage', { QueueUrl: ordered.url, ...message })).toThrow();
  });
});
