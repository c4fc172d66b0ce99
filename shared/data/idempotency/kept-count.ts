import * as v from 'valibot';
import { hourOfKept, keptAnswerPartition, keptCountKey, keptHours } from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { updateItem } from '#shared/data/table/item.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import { KEPT_SECONDS } from './attempts.ts';

/**
 * How many answers of a user are kept that wrote something. None of them may be forgotten within a day, so a user who
 * has too many gets no further ones. They are counted by the hour: an answer counts until its whole hour has passed.
 *
 * The count follows the answer in a write of its own. Requests at the same time may therefore exceed the limit by as
 * many as they are, and a function that dies between both leaves its answer uncounted.
 */

export const MAX_KEPT_ANSWERS = 10_000;

const KEPT_MILLISECONDS = KEPT_SECONDS * 1_000;

const HOUR_MILLISECONDS = 3_600_000;

type Owner = Pick<Principal, 'organizationId' | 'userId'>;

export async function countKeptAnswer({ organizationId, userId }: Owner, now: Date): Promise<void> {
  await updateItem(keptCountKey(organizationId, userId, now.toISOString()), {
    UpdateExpression: 'SET expiresAtEpochSeconds = :expiry ADD answers :one',
    ExpressionAttributeValues: {
      ':one': 1,
      ':expiry': Math.ceil((now.getTime() + KEPT_MILLISECONDS + HOUR_MILLISECONDS) / 1_000),
    },
  });
}

const hours = v.array(v.object({ sk: v.string(), answers: v.number() }));

/** @returns the seconds until another answer has room; 0 if it has */
export async function secondsUntilRoom({ organizationId, userId }: Owner, now: Date): Promise<number> {
  const since = new Date(now.getTime() - KEPT_MILLISECONDS);
  const between = keptHours(since.toISOString(), now.toISOString());
  const partition = keptAnswerPartition(organizationId, userId);
  const counted = v.parse(hours, await readCollection({ partition, between, direction: 'asc' }));
  let left = counted.reduce((sum, { answers }) => sum + answers, 0);
  if (left < MAX_KEPT_ANSWERS) return 0;
  const last = counted.find(({ answers }) => {
    left -= answers;
    return left < MAX_KEPT_ANSWERS;
  });
  const hour = last ? Date.parse(hourOfKept(last.sk)) : now.getTime();
  return Math.ceil((hour + HOUR_MILLISECONDS + KEPT_MILLISECONDS - now.getTime()) / 1_000);
}
