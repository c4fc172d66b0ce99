import { AsyncLocalStorage } from 'node:async_hooks';
import { SQSClient } from '@aws-sdk/client-sqs';
import { BatchGetCommand, GetCommand, QueryCommand, ScanCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, vi } from 'vitest';
import { database } from '#shared/data/table/database.ts';
import { outsideFunctions } from './api.ts';

/**
 * Functions that die. A victim runs in the test's process. It stops for good at one of its writes to the table or a
 * queue, before or after the write takes effect. Nothing after it runs any more, no `catch` and no `finally`, as
 * when a process is killed. Everything else in the test's process goes on.
 */

export interface Death {
  /** Number of the write, from 0. */
  readonly write: number;
  readonly moment: 'before' | 'after';
}

interface Victim {
  readonly death: Death | undefined;
  readonly died: PromiseWithResolvers<'killed'>;
  writes: number;
  isDead: boolean;
}

const READS = [BatchGetCommand, GetCommand, QueryCommand, ScanCommand, TransactGetCommand];

const victims = new AsyncLocalStorage<Victim>();

/** Call it once in a test file whose tests kill, after everything else that replaces clients. */
export function useKilling(): void {
  beforeEach(() => {
    for (const client of [database, SQSClient.prototype]) {
      const send = client.send;
      vi.spyOn(client, 'send').mockImplementation(function (this: unknown, ...sent: unknown[]) {
        const isRead = READS.some((read) => sent[0] instanceof read);
        return mortal(isRead, () => Reflect.apply(send, this, sent));
      });
    }
  });
}

/** Runs what another process does in answer to a call of the victim. */
export function outside<T>(run: () => T): T {
  return victims.exit(() => outsideFunctions(run));
}

async function mortal<T>(isRead: boolean, call: () => Promise<T>): Promise<T> {
  const victim = victims.getStore();
  if (!victim) return call();
  const isLast = !isRead && victim.death?.write === victim.writes;
  if (!isRead) victim.writes += 1;
  if (victim.isDead || (isLast && victim.death?.moment === 'before')) return die(victim);
  const answer = await call();
  return victim.isDead || isLast ? die(victim) : answer;
}

function die(victim: Victim): Promise<never> {
  victim.isDead = true;
  victim.died.resolve('killed');
  return new Promise(() => {});
}

interface Ending<T> {
  /** How many writes the victim made. */
  readonly writes: number;
  readonly outcome: 'killed' | { readonly value: T };
}

/** Runs something that may die on its way. */
export async function mayDie<T>(death: Death | undefined, run: () => Promise<T>): Promise<Ending<T>> {
  const victim: Victim = { death, died: Promise.withResolvers(), writes: 0, isDead: false };
  const ended = victims.run(victim, async () => ({ value: await run() }));
  const outcome = await Promise.race([ended, victim.died.promise]);
  return { writes: victim.writes, outcome };
}

/**
 * Every moment at which a victim that makes this many writes can die: before each of them, and after the last. Other
 * moments add nothing: a death at a read, or after a write, leaves the same behind as one before the next write.
 */
export function deathsOf(writes: number): Death[] {
  const before = Array.from({ length: writes }, (_, write) => ({ write, moment: 'before' }) as const);
  return [...before, { write: writes - 1, moment: 'after' }];
}
