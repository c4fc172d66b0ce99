import { beforeEach, describe, expect, it } from 'vitest';
import { type Attempt, beginAttempt, keepAnswer } from '#shared/data/idempotency/attempts.ts';
import { countKeptAnswer, secondsUntilRoom } from '#shared/data/idempotency/kept-count.ts';
import { takeSlot } from '#shared/data/idempotency/ring.ts';
import { idempotencyKey, keptCountKey, ringKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { remove } from '#shared/data/table/writes.ts';
import { given } from '#test/support/given.ts';

const ANSWER = { status: 409, headers: {}, body: '{}' };
const NOW = new Date();

let owner: { readonly organizationId: string; readonly userId: string };

beforeEach(async () => {
  const { organization, userId } = await given.user();
  owner = { organizationId: organization.id, userId };
});

const begin = (key: string) => beginAttempt({ ...owner, key, fingerprint: 'f' }, NOW);

async function refuse(key: string): Promise<Attempt> {
  const begun = await begin(key);
  if (begun.kind !== 'begun') throw new Error('It has not begun.');
  await keepAnswer(begun.attempt, ANSWER, NOW);
  return begun.attempt;
}

/** The next refusal takes the slot of the last one. */
const goAround = (slots = 999) => transact([increase(ringKey(owner.organizationId, owner.userId), { taken: slots })]);

it('an attempt that was never answered is in the way for 90 seconds', async () => {
  const beginAfter = async (milliseconds: number) =>
    (await beginAttempt({ ...owner, key: 'k', fingerprint: 'f' }, new Date(NOW.getTime() + milliseconds))).kind;
  const kinds = [await beginAfter(0), await beginAfter(89_999), await beginAfter(90_000)];
  expect(kinds).toEqual(['begun', 'in_progress', 'begun']);
});

describe('a refusal in a slot', () => {
  it('is kept though it takes the slot twice, since the first answer was lost', async () => {
    const attempt = await refuse('k');
    await takeSlot(owner, attempt, NOW);
    await goAround(-1);
    await takeSlot(owner, attempt, NOW);
    expect(await begin('k')).toMatchObject({ kind: 'answered' });
  });

  it('that gives it up is forgotten, and no later request under the same key', async () => {
    await takeSlot(owner, await refuse('k'), NOW);
    await goAround();
    const other = await refuse('other');
    await takeSlot(owner, other, NOW);
    expect(await begin('k')).toMatchObject({ kind: 'begun' });
    await transact([remove(idempotencyKey(owner.organizationId, owner.userId, 'other'))]);
    await refuse('other');
    await goAround();
    await takeSlot(owner, await refuse('another'), NOW);
    expect(await begin('other')).toMatchObject({ kind: 'answered' });
  });
});

it('the count of an hour stays until the last of its answers is forgotten', async () => {
  const endOfHour = new Date('2026-11-20T10:59:59.999Z');
  for (const now of [endOfHour, new Date('2026-11-20T10:00:00.000Z')]) await countKeptAnswer(owner, now);
  const item = await readItem(keptCountKey(owner.organizationId, owner.userId, endOfHour.toISOString()));
  expect(item?.answers).toBe(2);
  const forgotten = endOfHour.getTime() / 1_000 + 24 * 60 * 60;
  expect(Number(item?.expiresAtEpochSeconds)).toBeGreaterThanOrEqual(forgotten);
});

it('room for another answer comes when so many are forgotten that one is missing, and not before', async () => {
  const now = new Date('2026-11-20T10:30:00.000Z');
  const hoursAgo = (hours: number, answers: number) =>
    increase(
      keptCountKey(owner.organizationId, owner.userId, new Date(now.getTime() - hours * 3_600_000).toISOString()),
      { answers },
    );
  await transact([hoursAgo(23, 1), hoursAgo(20, 1), hoursAgo(0, 9_999)]);
  expect(await secondsUntilRoom(owner, now)).toBe(4.5 * 3_600);
  await transact([hoursAgo(20, -1)]);
  expect(await secondsUntilRoom(owner, now)).toBe(1.5 * 3_600);
  await transact([hoursAgo(23, -1)]);
  expect(await secondsUntilRoom(owner, now)).toBe(0);
});
