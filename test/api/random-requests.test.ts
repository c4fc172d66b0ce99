import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isOfPlatform, parameterNames } from '#shared/contract/endpoint.ts';
import { createWebhook } from '#shared/contract/events/create-webhook.ts';
import { confirmRemoteSync } from '#shared/contract/remote/confirm-remote-sync.ts';
import { importRows } from '#shared/contract/remote/import-rows.ts';
import { routes } from '#shared/routes.ts';
import { searchContract } from '#test/search/contract.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { type KnownIds, nearMiss } from '#test/support/random-requests.ts';
import { pathTo, resourceOf } from '#test/support/resources.ts';

/** A few of each operation, of which `npm run search -- contract` makes fifty thousand. */
const REQUESTS = 200;
const MAX_SEED = 2 ** 31;

/** The writes of members. */
const OF_MEMBERS = 'createEntry updateEntry deleteEntry startTimer updateTimer stopTimer discardTimer updateMe'.split(
  ' ',
);

/** What a worker changes of webhooks at any time. */
const OF_DELIVERIES = 'after behind lastSuccessAt lastFailureAt lastFailure nextAttemptAt'.split(' ');

/** One that fails is still an active one. */
function withoutDeliveries(path: string, body: Json): Json {
  if (!path.startsWith(createWebhook.path)) return body;
  const text = JSON.stringify(body, (name, value) => (OF_DELIVERIES.includes(name) ? undefined : value));
  return JSON.parse(text.replaceAll('"status":"failing"', '"status":"active"'));
}

const guarded = routes.filter(({ scope }) => scope !== null && !isOfPlatform(scope));
const located = guarded.filter(({ path }) => parameterNames(path).length > 0);

describe('random requests', () => {
  it(`get no 5xx and nothing undocumented, of ${REQUESTS}`, { timeout: 120_000 }, async () => {
    const seed = fc.sample(fc.nat({ max: MAX_SEED }), 1)[0] ?? 0;
    const { violations, outcomes, cases } = await searchContract(REQUESTS, seed);
    expect(violations, `seed ${seed}`).toEqual([]);
    expect(cases).toBe(REQUESTS);
    for (const status of [200, 201, 404, 422]) expect(outcomes[status], `${status}`).toBeGreaterThan(REQUESTS / 50);
  });

  describe('that are refused', () => {
    const REFUSALS = 8;
    let ana: User;
    let known: KnownIds;

    beforeAll(async () => {
      ana = await given.user();
      known = await resourcesOf(ana, 1);
    });

    /** All lists of the organization, and one resource of each kind. A PDF shows nothing that the invoice does not. */
    async function state(): Promise<Json> {
      const reads = guarded.filter(({ method, response }) => method === 'GET' && response.kind !== 'raw');
      const seen: Json[] = [];
      for (const { path } of reads) {
        const { status, body } = await ana.get(pathTo(path, known.get(path)?.[0] ?? ''));
        if (status === 200) seen.push(withoutDeliveries(path, body));
      }
      return seen;
    }

    it('change nothing', { timeout: 120_000 }, async () => {
      // Not DELETE: what follows from a deletion that succeeds may come a moment later, and would look like the work of the next request.
      // Nor an import: one that is refused for its rows is kept in the history.
      const imports: readonly string[] = [confirmRemoteSync.operationId, importRows.operationId];
      const writes = guarded.filter(
        ({ method, operationId }) => (method === 'POST' || method === 'PATCH') && !imports.includes(operationId),
      );
      const anyWrite = fc.oneof(...writes.map((endpoint) => nearMiss(endpoint, known)));
      let before = await state();
      expect(before.length).toBeGreaterThan(5);
      let refused = 0;
      for (const request of fc.sample(anyWrite, REFUSALS * 10)) {
        if (refused === REFUSALS) break;
        const { method, path, ...sending } = request;
        const isRefused = (await ana.send(method, path, sending)).status >= 400;
        const after = await state();
        if (isRefused) {
          refused += 1;
          expect(after, JSON.stringify(request)).toEqual(before);
        }
        before = after;
      }
      expect(refused).toBe(REFUSALS);
    });
  });
});

describe('random requests of a member', () => {
  const MEMBER_REQUESTS = 500;
  const writes = guarded.filter(({ method }) => method !== 'GET');

  it('write nothing but entries and timers of its own', { timeout: 120_000 }, async () => {
    const ana = await given.user();
    const member = await given.user({ organization: ana.organization, role: 'member' });
    const known = await resourcesOf(ana, 2);
    const timer = await given.runningTimer(ana);
    /** All that a member cannot write: a project shows sums of entries, and a user its name. */
    const state = async (): Promise<Json> => {
      const paths = [
        '/products',
        '/clients',
        '/invoices',
        '/v1/api-keys',
        '/v1/organization',
        '/v1/work/tracker/remote',
        '/v1/webhooks',
      ];
      const entries = known.get('/v1/work/tracker/entries/{id}') ?? [];
      const all = [...paths, ...entries.map((id) => `/v1/work/tracker/entries/${id}`), '/v1/work/tracker/timer/active'];
      return Promise.all(all.map(async (path) => withoutDeliveries(path, (await ana.get(path)).body)));
    };
    const before = await state();
    const anyWrite = fc.oneof(
      ...writes.map((endpoint) => nearMiss(endpoint, known).map((sent) => ({ endpoint, sent }))),
    );
    const codes: Record<string, number> = {};
    for (const { endpoint, sent } of fc.sample(anyWrite, { numRuns: MEMBER_REQUESTS, seed: 15 })) {
      const { method, path, ...sending } = sent;
      const { status, body } = await member.send(method, path, sending);
      if (status < 300) expect(OF_MEMBERS, JSON.stringify(sent)).toContain(endpoint.operationId);
      codes[body.code ?? 'done'] = (codes[body.code ?? 'done'] ?? 0) + 1;
    }
    expect(await state()).toEqual(before);
    expect((await ana.get('/v1/work/tracker/timer/active')).body.data.id).toBe(timer.id);
    for (const code of ['admin_required', 'not_yours', 'done']) expect(codes[code], code).toBeGreaterThan(3);
  });
});

async function resourcesOf(by: User, count: number): Promise<KnownIds> {
  const known = new Map<string, string[]>();
  for (const endpoint of located) {
    const ids = known.get(endpoint.path) ?? [];
    while (ids.length < count) ids.push(await resourceOf(endpoint, by));
    known.set(endpoint.path, ids);
  }
  return known;
}
