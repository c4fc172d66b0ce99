import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cloud } from '#scripts/local/cloud.ts';
import { close, listen } from '#scripts/local/http.ts';
import { LEASE_MILLISECONDS } from '#shared/runtime/lease.ts';
import { newCaller } from './caller.ts';
import { markdownTable } from './markdown.ts';
import { median } from './statistics.ts';

/** The time from the request that changes something until its event is at the receiver of a webhook. */

const FULL_CHANGES = 25;
const SAMPLE_CHANGES = 3;

/** A new webhook's feed is read again and again for as long (`shared/work/events/wake.ts`). */
const NEW_MILLISECONDS = LEASE_MILLISECONDS + 3_000;

/** A webhook is told once in each slot (`shared/queue/webhooks.ts`). Changes take turns to be early and late in one. */
const SLOT_MILLISECONDS = 2_000;

export async function measure(cloud: Cloud, isSample: boolean): Promise<string> {
  let arrived = Promise.withResolvers<void>();
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end();
      arrived.resolve();
    });
  });
  const url = `http://127.0.0.1:${await listen(receiver, 0, '127.0.0.1')}/`;
  const by = await newCaller(cloud);
  await by.call('createWebhook', { body: { url } });
  const secondsOfChange = async () => {
    arrived = Promise.withResolvers();
    const askedAt = performance.now();
    await by.call('createClient', { body: { name: 'Benchmark' } });
    await arrived.promise;
    return (performance.now() - askedAt) / 1_000;
  };
  // Starts the functions.
  await secondsOfChange();
  await sleep(NEW_MILLISECONDS);
  const changes = isSample ? SAMPLE_CHANGES : FULL_CHANGES;
  const seconds: number[] = [];
  while (seconds.length < changes) {
    await sleep((seconds.length / changes) * SLOT_MILLISECONDS);
    seconds.push(await secondsOfChange());
  }
  await close(receiver);
  return [
    `From the request that makes a client until its event is at a receiver on this machine, which answers at once: ${changes} changes by HTTP, one after the other, in all moments of the two seconds whose changes are told together.`,
    markdownTable(
      ['', 's'],
      [
        ['median', median(seconds).toFixed(2)],
        ['largest', Math.max(...seconds).toFixed(2)],
      ],
    ),
  ].join('\n\n');
}
