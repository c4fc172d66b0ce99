import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { afterAll, expect, it, vi } from 'vitest';
import { tellWebhooks, wakeWebhooks } from '#shared/queue/webhooks.ts';

const sqs = mockClient(SQSClient);

afterAll(() => {
  sqs.restore();
  vi.useRealTimers();
});

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

it('more webhooks are told than one call to the queue takes', async () => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  const messages = Array.from({ length: 11 }, (_, i) => ({ organizationId: 'home', webhookId: `${i}`, from: 0 }));
  expect(await wakeWebhooks(messages)).toBe(11);
  const batches = sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input.Entries?.length);
  expect(batches).toEqual([10, 1]);
});
