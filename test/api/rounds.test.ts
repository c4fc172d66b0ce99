import { describe, expect, it } from 'vitest';
import { transact } from '#shared/data/table/transaction.ts';
import { readEntry } from '#shared/data/tracker/entries.ts';
import { ledgerUpdates } from '#shared/data/tracker/ledger.ts';
import { searchClosing } from '#test/search/closing.ts';
import { searchBilling, searchComebacks } from '#test/search/rounds.ts';
import { useInstances } from '#test/support/api.ts';
import type { Json, Sending } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

/** Samples of `npm run search -- billing`, `comebacks` and `closing`: eight callers, and nothing is held. */

const ROUNDS = 1;
const SEED = 1;

describe('eight callers at once', () => {
  useInstances();

  it('bill no entry twice, leave none out, and show as invoiced exactly what is', { timeout: 120_000 }, async () => {
    const { violations, requests } = await searchBilling(undefined, ROUNDS, SEED);
    expect(violations).toEqual([]);
    expect(requests).toBeGreaterThan(ROUNDS * 40);
  });

  it('leave sums that equal a recount while imports are undone and come again', { timeout: 120_000 }, async () => {
    const { violations, requests } = await searchComebacks(undefined, ROUNDS, SEED);
    expect(violations).toEqual([]);
    expect(requests).toBeGreaterThan(ROUNDS * 40);
  });
});

describe('eight callers at the edge of a closed period', () => {
  useInstances();

  it('change nothing of what is closed, from each answered lock on', { timeout: 120_000 }, async () => {
    const { violations, closings } = await searchClosing(ROUNDS, SEED);
    expect({ violations, closings }).toEqual({ violations: [], closings: ROUNDS * 4 });
  });
});

describe('a round in which nobody does anything', () => {
  it('finds out that an entry on an invoice shows as free', { timeout: 120_000 }, async () => {
    const { violations } = await searchBilling(undefined, 1, SEED, { hire: forgetful, actsEach: 0 });
    expect(violations).not.toEqual([]);
  });

  it('finds out that a sum is another', { timeout: 120_000 }, async () => {
    const { violations } = await searchComebacks(undefined, 1, SEED, { hire: miscounted, actsEach: 0 });
    for (const finding of [/ledger differs/, /calendar differs/, /summary has/])
      expect(violations.filter((violation) => finding.test(violation)).length, `${finding}`).toBeGreaterThan(0);
  });
});

/** A user to whom each list shows the first entry that is on an invoice as if it were on none. */
async function forgetful(): Promise<User> {
  const by = await given.user();
  const send = by.send.bind(by);
  by.send = async (method: string, path: string, sending?: Sending) => {
    const reply = await send(method, path, sending);
    const entries: Json[] = method === 'GET' && path.endsWith('/entries') ? (reply.body.data ?? []) : [];
    const invoiced = entries.find(({ invoiceId }) => invoiceId);
    if (invoiced) Object.assign(invoiced, { billingStatus: 'unbilled', invoiceId: null });
    return reply;
  };
  return by;
}

/** A user whose sums lack an entry. */
async function miscounted(): Promise<User> {
  const by = await given.user();
  // On a day of its own: among others on its day, a list that is too short by it could hide that it is missing.
  const { id } = await given.entry(by, { entryDate: '2026-11-05' });
  const before = await readEntry(by.organization.id, id);
  const lost = { before, after: null };
  await transact(ledgerUpdates([lost, lost]));
  return by;
}
