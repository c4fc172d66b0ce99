import { describe, expect, it } from 'vitest';
import { CLOSED, isOpen, pauseAfter, permittedSyncs } from '#shared/domain/remote/breaker.ts';
import {
  beginSync,
  connect,
  dueAfterSync,
  type RemoteConnection,
  reviseSettings,
  syncTimeout,
} from '#shared/domain/remote/connection.ts';
import { queues } from '#shared/queues.ts';
import { schedules } from '#shared/schedules.ts';

/** Simulates the scheduler, the queue and its workers over hours, by the rules of the domain. */

const CONNECTIONS = 10_000;
const INTERVAL_MINUTES = 60;
const HOURS = 8;

const FAST_SECONDS = 2;
/** All that a worker leaves to the provider. */
const SLOW_SECONDS = 40;

const workersOf = (name: string) => queues.find((queue) => queue.name === name)?.maximumConcurrency ?? 0;
const TICK_SECONDS = (schedules.find(({ name }) => name === 'sync-scheduler')?.everyMinutes ?? 0) * 60;

const START = Date.parse('2026-11-23T08:00:00.000Z');
const timeAt = (second: number) => new Date(START + second * 1_000);

interface Wishes {
  readonly workers: number;
  /** Seconds during which the provider answers nothing. */
  readonly outage?: { readonly from: number; readonly to: number };
}

interface Outcome {
  /** The longest time from one success to the next, or from the start to the first one, or from the last one to the end. */
  readonly longestMinutes: number;
  /** Calls of the provider while it was down. */
  readonly callsInOutage: number;
  /** When, after the outage, the last connection was synced again. */
  readonly recoveredMinutes: number;
}

/** All connections are due at the start, which is the worst of all distributions. */
function simulate({ workers, outage = { from: 0, to: 0 } }: Wishes): Outcome {
  const connections = Array.from({ length: CONNECTIONS }, (_, id) => connection(id));
  const dueAt = connections.map(({ dueAt }) => dueAt);
  const lastSuccess = connections.map(() => 0);
  const waiting: { readonly id: number; readonly jobId: string; readonly at: string }[] = [];
  const freeAt = Array<number>(workers).fill(0);
  let [breaker, longest, callsInOutage, recovered, next] = [CLOSED, 0, 0, 0, 0];

  const schedule = (second: number) => {
    const now = timeAt(second);
    const at = now.toISOString();
    const due = dueAt.flatMap((instant, id) => (instant <= at ? [id] : []));
    for (const id of due.slice(0, permittedSyncs(breaker, now))) {
      dueAt[id] = syncTimeout(now);
      waiting.push({ id, jobId: at, at });
    }
  };

  /** @returns when the worker is free again */
  const work = (id: number, message: { jobId: string; at: string }, second: number): number => {
    const current = connections[id];
    const now = timeAt(second);
    const begun = current && !isOpen(breaker, now) ? beginSync(current, message, now) : undefined;
    if (!begun?.sync) return second;
    const isDown = second >= outage.from && second < outage.to;
    const end = second + (isDown || id % 10 === 0 ? SLOW_SECONDS : FAST_SECONDS);
    const due = dueAfterSync(begun, begun.sync);
    const ended = { ...begun, sync: null, lastSyncAt: message.at };
    if (isDown) {
      callsInOutage += 1;
      breaker = { failures: breaker.failures + 1, openUntil: pauseAfter(timeAt(end)) };
      connections[id] = { ...ended, failures: begun.failures + 1, dueAt: due.failed };
      dueAt[id] = due.failed;
      return end;
    }
    breaker = CLOSED;
    connections[id] = {
      ...ended,
      ...begun.sync.reached,
      failures: 0,
      lastSyncStatus: 'succeeded',
      dueAt: due.succeeded,
    };
    dueAt[id] = due.succeeded;
    longest = Math.max(longest, end - (lastSuccess[id] ?? 0));
    if ((lastSuccess[id] ?? 0) < outage.to) recovered = Math.max(recovered, end - outage.to);
    lastSuccess[id] = end;
    return end;
  };

  for (let second = 0; second < HOURS * 3_600; second++) {
    if (second % TICK_SECONDS === 0) schedule(second);
    for (const worker of freeAt.keys()) {
      while ((freeAt[worker] ?? 0) <= second && next < waiting.length) {
        const message = waiting[next++];
        if (message) freeAt[worker] = work(message.id, message, second);
      }
    }
  }
  for (const success of lastSuccess) longest = Math.max(longest, HOURS * 3_600 - success);
  return { longestMinutes: longest / 60, callsInOutage, recoveredMinutes: recovered / 60 };
}

function connection(id: number): RemoteConnection {
  const credential = {
    organizationId: `organization-${id}`,
    userId: 'ana',
    currency: 'USD',
    accountId: '1',
    accountName: 'Initech',
    visibility: 'all',
    encryptedToken: '',
  } as const;
  return reviseSettings(connect(undefined, credential), { syncEnabled: true, syncIntervalMinutes: INTERVAL_MINUTES });
}

describe('10,000 connections that are synced every hour, a tenth of them as slow as may be', () => {
  it('are none of them later than twice their interval', () => {
    const { longestMinutes } = simulate({ workers: workersOf('syncs') });
    console.log(`syncs: at most ${longestMinutes.toFixed(0)} minutes from one to the next`);
    expect(longestMinutes).toBeLessThan(2 * INTERVAL_MINUTES);
  });

  it('leave a provider alone that is down for two hours, and are all synced within twice their interval after it', () => {
    const outage = { from: 2 * 3_600, to: 4 * 3_600 };
    const { callsInOutage, recoveredMinutes } = simulate({ workers: workersOf('syncs'), outage });
    console.log(
      `syncs: ${callsInOutage} calls in the outage, all synced ${recoveredMinutes.toFixed(0)} minutes after it`,
    );
    expect(callsInOutage).toBeLessThan(200);
    expect(recoveredMinutes).toBeLessThan(2 * INTERVAL_MINUTES);
  });
});
