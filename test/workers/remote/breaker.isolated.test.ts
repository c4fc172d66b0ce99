import { expect, it } from 'vitest';
import { readBreaker } from '#shared/data/remote/breaker.ts';
import { CLOSED } from '#shared/domain/remote/breaker.ts';
import { eventually } from '#test/support/fixture-app/cloud.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import type { Fault } from '#test/support/provider.ts';
import { questionsTo } from '#test/support/remote-account.ts';
import { hoursAfter, type Synced, useSyncs } from '#test/support/syncs.ts';

const own = useOwnCloud();
const synced = useSyncs();

const REMOTE = '/v1/work/tracker/remote';

const DOWN: readonly Fault[] = [{ status: 503 }];

/** Connections that are due, of organizations of their own. */
async function due(count: number): Promise<Synced[]> {
  const made: Synced[] = [];
  for (let each = 0; each < count; each++) made.push(await synced({ faults: { time_entries: DOWN } }));
  return made;
}

const tick = (minutes: number) => own.cloud.fireSchedule('sync-scheduler', hoursAfter(minutes / 60));

async function askedOf(of: readonly Synced[]): Promise<number> {
  const questions = await Promise.all(of.map(({ account }) => questionsTo(account)));
  return questions.filter(({ length }) => length > 0).length;
}

const statusesOf = (of: readonly Synced[]) =>
  Promise.all(of.map(async ({ by }): Promise<string> => (await by.get(REMOTE)).body.data.lastSyncStatus));

/** Waits until so many have ended like this. */
const ended = (of: readonly Synced[], status: string, count: number) =>
  eventually(async () =>
    (await statusesOf(of)).filter((each) => each === status).length === count ? count : undefined,
  );

it('leaves a provider alone that fails all, lets a few try it, and goes on once it answers', {
  timeout: 60_000,
}, async () => {
  const first = await due(12);
  await tick(0);
  await eventually(async () => ((await readBreaker()).failures >= 10 ? true : undefined));
  const others = await due(6);
  await tick(5);
  expect(await statusesOf(others)).toEqual(Array(6).fill('idle'));
  await tick(15);
  await ended(others, 'failed', 3);
  expect(await askedOf(others)).toBe(3);
  for (const { account } of [...first, ...others]) await account.change({ faults: {} });
  await tick(30);
  await ended(others, 'succeeded', 3);
  await eventually(async () => ((await readBreaker()).failures === 0 ? true : undefined));
  expect(await readBreaker()).toEqual(CLOSED);
  await tick(90);
  await ended([...first, ...others], 'succeeded', 18);
});
