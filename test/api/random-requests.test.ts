import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWebhook } from '#shared/contract/events/create-webhook.ts';
import { confirmRemoteSync } from '#shared/contract/remote/confirm-remote-sync.ts';
import { importRows } from '#shared/contract/remote/import-rows.ts';
import { searchContract } from '#test/search/contract.ts';
import { complete, guarded } from '#test/search/possessions.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { type KnownIds, nearMiss } from '#test/support/random-requests.ts';
import { pathTo } from '#test/support/resources.ts';

/** A few of each operation, of which `npm run search -- contract` makes fifty thousand. */
const REQUESTS = 200;
const SEED = 1;

/** What a worker changes of webhooks at any time. */
const OF_DELIVERIES = 'after behind lastSuccessAt lastFailureAt lastFailure nextAttemptAt'.split(' ');

/** One that fails is still an active one. */
function withoutDeliveries(path: string, body: Json): Json {
  if (!path.startsWith(createWebhook.path)) return body;
  const text = JSON.stringify(body, (name, value) => (OF_DELIVERIES.includes(name) ? undefined : value));
  return JSON.parse(text.replaceAll('"status":"failing"', '"status":"active"'));
}

describe('random requests', () => {
  it(`get no 5xx and nothing undocumented, of ${REQUESTS}`, { timeout: 120_000 }, async () => {
    const { violations, outcomes, cases } = await searchContract(REQUESTS, SEED);
    expect(violations).toEqual([]);
    expect(cases).toBe(REQUESTS);
    for (const status of [200, 201, 404, 422]) expect(outcomes[status], `${status}`).toBeGreaterThan(REQUESTS / 50);
  });

  it('that are refused change nothing', { timeout: 120_000 }, async () => {
    const ana = await given.user();
    const known = await complete(ana, new Map(), 1);
    let before = await stateOf(ana, known);
    expect(before.length).toBeGreaterThan(5);
    let refused = 0;
    for (const request of fc.sample(fc.oneof(...writes.map((endpoint) => nearMiss(endpoint, known))), REFUSALS * 10)) {
      if (refused === REFUSALS) break;
      const { method, path, ...sending } = request;
      const isRefused = (await ana.send(method, path, sending)).status >= 400;
      const after = await stateOf(ana, known);
      if (isRefused) {
        refused += 1;
        expect(after, JSON.stringify(request)).toEqual(before);
      }
      before = after;
    }
    expect(refused).toBe(REFUSALS);
  });
});

const REFUSALS = 8;

/** An import that is refused for its rows is kept in the history. */
const imports: readonly string[] = [confirmRemoteSync.operationId, importRows.operationId];

/**
 * Not DELETE: what follows from a deletion that succeeds may come a moment later, and would look like the work of the
 * next request.
 */
const writes = guarded.filter(
  ({ method, operationId }) => (method === 'POST' || method === 'PATCH') && !imports.includes(operationId),
);

/** All lists of the organization, and one resource of each kind. A PDF shows nothing that the invoice does not. */
async function stateOf(by: User, known: KnownIds): Promise<Json[]> {
  const seen: Json[] = [];
  for (const { path } of guarded.filter(({ method, response }) => method === 'GET' && response.kind !== 'raw')) {
    const { status, body } = await by.get(pathTo(path, known.get(path)?.[0] ?? ''));
    if (status === 200) seen.push(withoutDeliveries(path, body));
  }
  return seen;
}
