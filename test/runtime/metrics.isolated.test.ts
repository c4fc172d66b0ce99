import { readFile } from 'node:fs/promises';
import type { Context, SQSEvent } from 'aws-lambda';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { getHealth } from '#shared/contract/meta/get-health.ts';
import { Client } from '#test/support/client.ts';

/** What a function tells CloudWatch, through its log. */

const embedded = v.strictObject({
  _aws: v.strictObject({
    Timestamp: v.number(),
    CloudWatchMetrics: v.tuple([
      v.strictObject({
        Namespace: v.string(),
        Dimensions: v.array(v.array(v.string())),
        Metrics: v.tuple([v.strictObject({ Name: v.string(), Unit: v.string() })]),
      }),
    ]),
  }),
  service: v.literal('billwright'),
  operation: v.optional(v.string()),
  queue: v.optional(v.string()),
  Duration: v.optional(v.number()),
  ClientErrors: v.optional(v.number()),
  ServerErrors: v.optional(v.number()),
  ProviderErrors: v.optional(v.number()),
  ColdStarts: v.optional(v.number()),
  Failures: v.optional(v.number()),
  SyncFailures: v.optional(v.number()),
});

const written: string[] = [];

/** Modules that write, whereas those of the other tests are silent. */
beforeEach(() => {
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'billwright-test');
  vi.resetModules();
  written.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => written.push(String(line)) > 0);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** Each line: what it counts, by which dimensions. Whatever else a line would say fails the schema. */
function counted(): unknown[] {
  vi.restoreAllMocks();
  return written.map((line) => {
    const { _aws, service, ...members } = v.parse(embedded, JSON.parse(line));
    const [{ Namespace, Dimensions, Metrics }] = _aws.CloudWatchMetrics;
    expect(Namespace).toBe('billwright-test');
    for (const names of Dimensions) expect(Object.keys({ service, ...members })).toEqual(expect.arrayContaining(names));
    expect(Object.keys(members)).toContain(Metrics[0].Name);
    return { ...members, by: Dimensions.map((names) => names.filter((name) => name !== 'service').join()) };
  });
}

const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 10_000 };

async function request(answer: () => Promise<{ status: 'ok' }>, waits = false): Promise<void> {
  const { implementPublic } = await import('#shared/http/implement-public.ts');
  const endpoint = waits ? { ...getHealth, waitsForOthers: true } : getHealth;
  await implementPublic(endpoint, answer)({ headers: { 'x-marker': 'marker' } }, context as Context);
}

/** Each test begins with new modules. */
const COLD = { by: [''], ColdStarts: 1 };

describe('a request', () => {
  it('that succeeds is counted by its duration, in the whole service', async () => {
    await request(async () => ({ status: 'ok' }));
    expect(counted()).toEqual([COLD, { by: [''], Duration: expect.any(Number) }]);
  });

  it('is counted as a cold start if it is the first of the instance', async () => {
    for (let sent = 0; sent < 3; sent++) await request(async () => ({ status: 'ok' }));
    expect(counted().map((line) => v.parse(v.object({ ColdStarts: v.optional(v.number()) }), line))).toEqual([
      { ColdStarts: 1 },
      {},
      {},
      {},
    ]);
  });

  it.each([
    [9_999, [COLD]],
    [10_000, []],
  ])('is none if the instance started ten seconds before it: %i ms', async (milliseconds, cold) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await import('#shared/http/request-log.ts');
    vi.advanceTimersByTime(milliseconds);
    await request(async () => ({ status: 'ok' }));
    vi.useRealTimers();
    expect(counted()).toEqual([...cold, { by: [''], Duration: expect.any(Number) }]);
  });

  it('that waits for others by its nature does not make the service look slow', async () => {
    await request(async () => ({ status: 'ok' }), true);
    expect(counted()).toEqual([COLD]);
  });

  it('that the caller got wrong is counted as such, and not as slow or fast', async () => {
    const { notFound } = await import('#shared/domain/problems.ts');
    await request(() => Promise.reject(notFound()));
    expect(counted()).toEqual([COLD, { by: ['operation'], operation: 'getHealth', ClientErrors: 1 }]);
  });

  it('that failed on our side is counted as such', async () => {
    await request(() => Promise.reject(new Error('inner text')));
    expect(counted()).toEqual([COLD, { by: ['operation'], operation: 'getHealth', ServerErrors: 1 }]);
  });

  it('that the provider failed is not counted as ours', async () => {
    const { Problem } = await import('#shared/domain/problems.ts');
    const failed = new Problem('remote_unavailable', { detail: 'The provider cannot be reached, or fails.' });
    await request(() => Promise.reject(failed));
    expect(counted()).toEqual([COLD, { by: [''], ProviderErrors: 1 }]);
  });

  it('is counted in the log of the function', async () => {
    vi.restoreAllMocks();
    await new Client(undefined, inject('baseUrl')).get('/health');
    const line = v.object({ functionName: v.literal('billwright-get-health'), record: embedded });
    const isThere = async () => {
      const lines = (await readFile(inject('functionLog'), 'utf8')).split('\n');
      return lines.some((text) => text.includes('"Namespace":"billwright"') && v.is(line, JSON.parse(text)));
    };
    await vi.waitUntil(isThere, { timeout: 10_000, interval: 100 });
  });
});

describe('a message', () => {
  it('is counted by its duration where it succeeds, and as a failure of its queue where it does not', async () => {
    const { consume } = await import('#shared/queue/consume.ts');
    const worker = consume(v.object({ fails: v.boolean() }), async ({ fails }) => {
      if (fails) throw new Error('made for a test');
    });
    const records = [{ fails: false }, { fails: true }].map((body) => ({
      messageId: 'message-1',
      body: JSON.stringify(body),
      eventSourceARN: 'arn:aws:sqs:eu-west-1:111111111111:billwright-things.fifo',
      attributes: { MessageGroupId: 'organization-1', ApproximateReceiveCount: '1' },
    }));
    const event: SQSEvent = JSON.parse(JSON.stringify({ Records: records }));
    await worker(event, { getRemainingTimeInMillis: () => 10_000 });
    const queue = 'billwright-things.fifo';
    expect(counted()).toEqual([
      { by: ['queue'], queue, Duration: expect.any(Number) },
      { by: ['queue'], queue, Failures: 1 },
    ]);
  });
});

describe('a scheduled run', () => {
  it('is counted by Lambda alone', async () => {
    const { onSchedule } = await import('#shared/runtime/schedule.ts');
    const event = { time: '2026-01-01T00:00:00Z' };
    await onSchedule('tick', async () => undefined)(event, context);
    await expect(
      onSchedule('tock', () => Promise.reject(new Error('made for a test')))(event, context),
    ).rejects.toThrow();
    expect(counted()).toEqual([]);
  });
});

describe('a counter', () => {
  it('counts what has happened, and says nothing where nothing has', async () => {
    const { metrics } = await import('#shared/runtime/metrics.ts');
    metrics.count('SyncFailures', 3);
    metrics.count('SyncFailures', 0);
    expect(counted()).toEqual([{ by: [''], SyncFailures: 3 }]);
  });
});
