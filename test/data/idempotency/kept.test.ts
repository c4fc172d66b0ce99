import { randomBytes } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Attempt, answerUpdate, beginAttempt, endAttempt, keepAnswer } from '#shared/data/idempotency/attempts.ts';
import { countKeptAnswer, secondsUntilRoom } from '#shared/data/idempotency/kept-count.ts';
import { takeSlot } from '#shared/data/idempotency/ring.ts';
import { idempotencyKey, keptCountKey, ringKey, ringSlotKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import { pack } from '#shared/data/table/packed.ts';
import { increase } from '#shared/data/table/sums.ts';
import { ConditionFailed, transact } from '#shared/data/table/transaction.ts';
import { remove } from '#shared/data/table/writes.ts';
import { costOf } from '#test/support/capacity.ts';
import { given } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';

const ANSWER = { status: 409, headers: {}, body: '{}' };
const NOW = new Date();

let owner: { readonly organizationId: string; readonly userId: string };

beforeEach(async () => {
  const { organization, userId } = await given.user();
  owner = { organizationId: organization.id, userId };
});

const begin = (key: string, fingerprint = 'f', after = 0) =>
  beginAttempt({ ...owner, key, fingerprint }, new Date(NOW.getTime() + after));

async function begun(...asked: Parameters<typeof begin>): Promise<Attempt> {
  const beginning = await begin(...asked);
  if (beginning.kind !== 'begun') throw new Error('It has not begun.');
  return beginning.attempt;
}

async function keep(attempt: Attempt, isLast: boolean): Promise<void> {
  await transact([await answerUpdate(attempt, ANSWER, { isLast, now: NOW })]);
}

/** Random text does not pack. */
const longAnswer = () => ({ ...ANSWER, body: randomBytes(3_500).toString('base64') });

/** An answer that packs to so many bytes. One text in six has no such length: then another is taken. */
async function answerOf(bytes: number): Promise<typeof ANSWER> {
  const text = randomBytes(bytes).toString('hex');
  for (let length = 2 * bytes - 400; length < text.length; length++) {
    const answer = { ...ANSWER, body: text.slice(0, length) };
    const [packed] = await pack(answer);
    if (packed?.length === bytes) return answer;
  }
  return answerOf(bytes);
}

async function refuse(key: string): Promise<Attempt> {
  const attempt = await begun(key);
  await keepAnswer(attempt, ANSWER, NOW);
  return attempt;
}

/** The next refusal takes the slot of the last one. */
const goAround = (slots = 999) => transact([increase(ringKey(owner.organizationId, owner.userId), { taken: slots })]);

describe('an attempt', () => {
  it.each([
    ['no answer', undefined, 'in_progress', 'begun'],
    ['an answer that another may follow', false, 'in_progress', 'answered'],
    ['its last answer', true, 'answered', 'answered'],
  ])('with %s is in the way for 90 seconds, and its key for 24 hours', async (_, isLast, before, after) => {
    const attempt = await begun('k');
    if (isLast !== undefined) await keep(attempt, isLast);
    const kinds: string[] = [];
    for (const milliseconds of [89_999, 90_000]) {
      for (const fingerprint of ['other', 'f']) kinds.push((await begin('k', fingerprint, milliseconds)).kind);
    }
    expect(kinds).toEqual(['reused', before, 'reused', after]);
    expect(await begin('k', 'other', 90_000 + 86_400_000)).toMatchObject({ kind: 'begun' });
  });

  it.each([
    ['no answer', undefined, undefined, 'begun'],
    ['an answer that another may follow', false, ANSWER, 'answered'],
    ['its last answer', true, ANSWER, 'answered'],
  ])('that fails with %s leaves that to whoever asks next', async (_, isLast, kept, kind) => {
    const attempt = await begun('k');
    if (isLast !== undefined) await keep(attempt, isLast);
    expect(await endAttempt(attempt)).toEqual(kept);
    expect(await begin('k')).toMatchObject({ kind });
  });

  it('does not begin where its record cannot be written', async () => {
    const fault = new Error('It came to nothing.');
    beforeCalls((command) => command instanceof PutCommand, [() => Promise.reject(fault)]);
    await expect(begin('k')).rejects.toThrow(fault);
  });

  it('has not ended where its record cannot be deleted', async () => {
    const attempt = await begun('k');
    const fault = new Error('It came to nothing.');
    beforeCalls((command) => command instanceof DeleteCommand, [() => Promise.reject(fault)]);
    await expect(endAttempt(attempt)).rejects.toThrow(fault);
    expect(await begin('k')).toEqual({ kind: 'in_progress' });
  });

  it('takes one last answer', async () => {
    const attempt = await begun('k');
    for (const isLast of [false, true]) await keep(attempt, isLast);
    for (const isLast of [false, true]) await expect(keep(attempt, isLast)).rejects.toThrow(ConditionFailed);
    expect(await keepAnswer(attempt, { ...ANSWER, status: 404 }, NOW)).toEqual(ANSWER);
    expect(await begin('k')).toEqual({ kind: 'answered', answer: ANSWER });
  });

  it('keeps an answer in its record up to 3,000 bytes', async () => {
    for (const [bytes, calls] of [[3_000, 1] as const, [3_001, 2] as const]) {
      const attempt = await begun(`${bytes}`);
      const answer = await answerOf(bytes);
      expect(await costOf(() => keepAnswer(attempt, answer, NOW))).toMatchObject({ calls });
    }
  });

  it('is kept for 24 hours from its answer on, however late that comes', async () => {
    await keepAnswer(await begun('k'), ANSWER, new Date(NOW.getTime() + 60_000));
    const kinds: string[] = [];
    for (const late of [59_000, 60_000]) kinds.push((await begin('k', 'f', 86_400_000 + late)).kind);
    expect(kinds).toEqual(['answered', 'begun']);
  });

  it('keeps and ends nothing once another has taken over', async () => {
    const late = await begun('k');
    const attempt = await begun('k', 'f', 90_000);
    await expect(keep(late, true)).rejects.toThrow(ConditionFailed);
    await expect(keepAnswer(late, ANSWER, NOW)).rejects.toThrow(ConditionalCheckFailedException);
    expect(await endAttempt(late)).toBeUndefined();
    expect(await begin('k', 'f', 90_000)).toEqual({ kind: 'in_progress' });
    expect(await keepAnswer(attempt, ANSWER, NOW)).toBeUndefined();
  });

  it('keeps a long answer, whatever another that was taken over from would keep', async () => {
    const [late, attempt] = [await begun('k'), await begun('k', 'f', 90_000)];
    const [answer, other] = [longAnswer(), longAnswer()];
    await keepAnswer(attempt, answer, NOW);
    await expect(keepAnswer(late, other, NOW)).rejects.toThrow(ConditionalCheckFailedException);
    expect(await begin('k', 'f', 90_000)).toEqual({ kind: 'answered', answer });
  });

  it('leaves nothing behind where its organization is erased while it ends', async () => {
    const attempt = await begun('k');
    await keep(attempt, false);
    const isEnding = (command: object) => command instanceof UpdateCommand;
    beforeCalls(isEnding, [() => transact([remove(attempt.key)])]);
    await expect(endAttempt(attempt)).rejects.toThrow(ConditionalCheckFailedException);
    expect(await readItem(attempt.key)).toBeUndefined();
  });
});

describe('a refusal in a slot', () => {
  it('is kept though it takes the slot twice, since the first answer was lost', async () => {
    const attempt = await refuse('k');
    await takeSlot(owner, attempt, NOW);
    await goAround(-1);
    await takeSlot(owner, attempt, NOW);
    expect(await begin('k')).toMatchObject({ kind: 'answered' });
  });

  it('is not passed over where it cannot be forgotten', async () => {
    await takeSlot(owner, await refuse('k'), NOW);
    await goAround();
    const other = await refuse('other');
    const fault = new Error('It came to nothing.');
    beforeCalls((command) => command instanceof DeleteCommand, [() => Promise.reject(fault)]);
    await expect(takeSlot(owner, other, NOW)).rejects.toThrow(fault);
  });

  it('gives it up after 24 hours', async () => {
    await takeSlot(owner, await refuse('k'), NOW);
    const expiresAtEpochSeconds = Math.ceil(NOW.getTime() / 1_000) + 86_400;
    expect(await readItem(ringSlotKey(owner.organizationId, owner.userId, 1))).toMatchObject({ expiresAtEpochSeconds });
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
  for (const now of [endOfHour, new Date('2026-11-20T10:00:00.001Z')]) await countKeptAnswer(owner, now);
  const item = await readItem(keptCountKey(owner.organizationId, owner.userId, endOfHour.toISOString()));
  const expiresAtEpochSeconds = Date.parse('2026-11-21T11:00:01.000Z') / 1_000;
  expect(item).toMatchObject({ answers: 2, expiresAtEpochSeconds });
});

it('room for another answer comes when so many are forgotten that one is missing, and not before', async () => {
  const now = new Date('2026-11-20T10:30:00.000Z');
  const hoursAgo = (hours: number, answers: number) =>
    increase(
      keptCountKey(owner.organizationId, owner.userId, new Date(now.getTime() - hours * 3_600_000).toISOString()),
      { answers },
    );
  await transact([hoursAgo(25, 1), hoursAgo(24, 1), hoursAgo(23, 1), hoursAgo(20, 1), hoursAgo(0, 9_999)]);
  expect(await secondsUntilRoom(owner, now)).toBe(4.5 * 3_600);
  await transact([hoursAgo(20, -1)]);
  expect(await secondsUntilRoom(owner, now)).toBe(1.5 * 3_600);
  await transact([hoursAgo(23, -1)]);
  expect(await secondsUntilRoom(owner, now)).toBe(0.5 * 3_600);
  await transact([hoursAgo(24, -1)]);
  expect(await secondsUntilRoom(owner, now)).toBe(0);
});
