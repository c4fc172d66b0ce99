import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { afterAll, expect, it, vi } from 'vitest';
import { tellWebhooks, wakeWebhooks } from '#shared/queue/webhooks.ts';
import { useLog } from '#test/support/log.ts';

const sqs = mockClient(SQSClient);
const { written, recordLog } = useLog();

afterAll(() => sqs.restore());

/** @returns what SQS is given, at a moment of the clock */
async function toldAt(milliseconds: number) {
  vi.setSystemTime(milliseconds);
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  await tellWebhooks({ organizationId: 'home', webhooks: ['hook'] });
  const [entry] = sqs.commandCalls(SendMessageBatchCommand)[0]?.args[0].input.Entries ?? [];
  return { id: entry?.MessageDeduplicationId, from: JSON.parse(entry?.MessageBody ?? '').from };
}

it('a message has its worker begin after all for which SQS drops another one', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const moment = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2036-01-01') });
  await fc.assert(
    fc.asyncProperty(moment, fc.nat({ max: 2_000 }), async (first, between) => {
      const [kept, later] = [await toldAt(first), await toldAt(first + between)];
      if (later.id === kept.id) expect(kept.from).toBeGreaterThan(first + between);
    }),
  );
});

/** Wakes so many webhooks. @returns how many were told */
const wake = (count: number) =>
  wakeWebhooks(Array.from({ length: count }, (_, i) => ({ organizationId: 'home', webhookId: `${i}`, from: 0 })));

it('more webhooks are told than one call to the queue takes', async () => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  expect(await wake(11)).toBe(11);
  const batches = sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input.Entries?.length);
  expect(batches).toEqual([10, 1]);
});

it('those that the queue does not take are left to the next run, and the log says how many', async () => {
  recordLog();
  sqs.reset();
  const Failed = ['3', '7'].map((Id) => ({ Id, Code: 'InternalError', SenderFault: false }));
  sqs.on(SendMessageBatchCommand).resolvesOnce({ Failed }).rejects(new Error('no queue'));
  expect(await wake(13)).toBe(8);
  const left = { level: 'WARN', message: 'webhooks are left to the next run' };
  expect(written.map((line) => JSON.parse(line))).toMatchObject([
    { ...left, count: 2 },
    { ...left, count: 3, error: { message: 'no queue' } },
  ]);
});
