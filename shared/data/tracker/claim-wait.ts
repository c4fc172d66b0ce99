import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#shared/domain/problems.ts';
import type { Claims } from '#shared/domain/tracker/present-entry.ts';
import {
  abandonClaiming,
  type ClaimedClient,
  findClaiming,
  findClaimings,
  LIFETIME_MILLISECONDS,
  millisecondsLeft,
} from './claiming.ts';
import { readClaims } from './claims.ts';
import type { StoredEntry } from './entry-items.ts';

/** Waiting for requests that are claiming a client's time: others bill what is left, and change what was not taken. */

/** A request that has been claiming for longer has most likely died. Nobody waits for it. */
const PATIENCE_MILLISECONDS = 12_000;

/** The time that a waiting request keeps for its own work, however often it waits. */
const WORK_MILLISECONDS = 16_000;

const PAUSE_MILLISECONDS = 200;

/**
 * Waits until no request is claiming the client's time. Gives up a claim whose request can no longer write.
 *
 * @param remainingMilliseconds of the whole request, so its waits do not add up
 * @throws Problem `invoicing_in_progress` when the other claim takes too long
 */
export async function waitWhileClaimed(client: ClaimedClient, remainingMilliseconds: () => number): Promise<void> {
  for (;;) {
    const record = await findClaiming(client);
    if (!record) return;
    const left = millisecondsLeft(record);
    const isLate = left < LIFETIME_MILLISECONDS - PATIENCE_MILLISECONDS;
    if (left <= 0) await abandonClaiming(record, new Date());
    else if (isLate || remainingMilliseconds() < WORK_MILLISECONDS) throw inProgress(left);
    else await sleep(PAUSE_MILLISECONDS * (0.5 + Math.random()));
  }
}

/**
 * The claims of a client's entries, once no request is claiming one of them. A claim that is missing may be still to
 * come. So the claims are read again after the wait.
 *
 * @param remainingMilliseconds of the whole request
 * @throws Problem `invoicing_in_progress` when another request takes too long
 */
export async function readSettledClaims(
  client: ClaimedClient,
  entries: readonly Pick<StoredEntry, 'claimId'>[],
  remainingMilliseconds: () => number,
): Promise<Claims> {
  const { organizationId } = client;
  const claims = await readClaims(organizationId, entries);
  if (entries.every(({ claimId }) => claimId === null || claims.has(claimId))) return claims;
  await waitWhileClaimed(client, remainingMilliseconds);
  return readClaims(organizationId, entries);
}

/**
 * Makes sure that no request is claiming one of the entries; gives up those claims whose requests have most likely died.
 * Whoever reads the claims of these entries after that knows which of them are free for good.
 *
 * @throws Problem `invoicing_in_progress` while a request that may live is claiming one of the entries
 */
export async function settleClaims(
  organizationId: string,
  entries: readonly Pick<StoredEntry, 'clientId' | 'claimId'>[],
): Promise<void> {
  const held = entries.filter(({ claimId }) => claimId !== null);
  const claimIds = new Set(held.map(({ claimId }) => claimId));
  const clientIds = new Set(held.flatMap(({ clientId }) => clientId ?? []));
  for (const record of await findClaimings(organizationId, [...clientIds])) {
    if (!claimIds.has(record.claimId)) continue;
    const left = millisecondsLeft(record);
    if (left > 0) throw inProgress(left);
    await abandonClaiming(record, new Date());
  }
}

/** @param left milliseconds until the other request is given up */
function inProgress(left: number): Problem {
  return new Problem('invoicing_in_progress', {
    detail: "A request is putting the client's time on an invoice.",
    headers: { 'Retry-After': String(Math.ceil(left / 1_000)) },
  });
}
