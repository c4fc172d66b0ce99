import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parameterNames } from '#shared/contract/endpoint.ts';
import { confirmRemoteSync } from '#shared/contract/remote-imports.ts';
import { routes } from '#shared/routes.ts';
import type { Json, Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { anyRequest, edgeCases, type KnownIds, nearMiss, type RandomRequest } from '#test/support/random-requests.ts';
import { resourceOf } from '#test/support/resources.ts';

/** Enough to try every route with every kind of near miss many times over. */
const REQUESTS = 2_000;
/** At once: they race for the same resources. */
const SENDERS = 8;
/** So many that deletions on the way leave some. */
const RESOURCES_OF_A_ROUTE = 20;

const guarded = routes.filter(({ scope }) => scope !== null);
const located = guarded.filter(({ path }) => parameterNames(path).length > 0);

describe('random requests', () => {
  const statuses = new Map<number, number>();

  afterAll(() => console.log('random requests by status:', Object.fromEntries([...statuses].sort())));

  /** The client compares every answer with the OpenAPI document. */
  async function send(by: User, { method, path, ...sending }: RandomRequest): Promise<Reply> {
    const reply = await by.send(method, path, sending);
    expect(reply.status, JSON.stringify({ method, path, ...sending })).toBeLessThan(500);
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    return reply;
  }

  async function sendAll(by: User, requests: RandomRequest[]): Promise<void> {
    const senders = Array.from({ length: SENDERS }, async () => {
      for (let next = requests.pop(); next; next = requests.pop()) await send(by, next);
    });
    await Promise.all(senders);
  }

  it('get no 5xx and nothing undocumented at the edges of what the contract takes', { timeout: 180_000 }, async () => {
    const ana = await given.user();
    const known = await resourcesOf(ana, 1);
    const requests = guarded.flatMap((endpoint) => edgeCases(endpoint, known));
    expect(requests.length).toBeGreaterThan(500);
    await sendAll(ana, requests);
  });

  it(`get no 5xx and nothing undocumented, of ${REQUESTS}`, { timeout: 180_000 }, async () => {
    const ana = await given.user();
    const known = await resourcesOf(ana, RESOURCES_OF_A_ROUTE);
    await sendAll(ana, fc.sample(anyRequest(routes, known), REQUESTS));
    for (const status of [200, 201, 404, 422]) expect(statuses.get(status), `${status}`).toBeGreaterThan(REQUESTS / 50);
  });

  describe('that are refused', () => {
    const REFUSALS = 100;
    let ana: User;
    let known: KnownIds;

    beforeAll(async () => {
      ana = await given.user();
      known = await resourcesOf(ana, 2);
    });

    /** All lists of the organization, and one resource of each kind. */
    async function state(): Promise<Json> {
      const reads = guarded.filter(({ method }) => method === 'GET');
      const replies = await Promise.all(
        reads.map(({ path }) => ana.get(path.replaceAll(/\{\w+\}/g, known.get(path)?.[0] ?? ''))),
      );
      return replies.filter(({ status }) => status === 200).map(({ body }) => body);
    }

    it('change nothing', { timeout: 120_000 }, async () => {
      // Not DELETE: what follows from a deletion that succeeds may come a moment later, and would look like the work of the next request.
      // Nor a confirm: one that is refused for its rows is kept in the history.
      const writes = guarded.filter(
        ({ method, operationId }) =>
          (method === 'POST' || method === 'PATCH') && operationId !== confirmRemoteSync.operationId,
      );
      const anyWrite = fc.oneof(...writes.map((endpoint) => nearMiss(endpoint, known)));
      let before = await state();
      expect(before.length).toBeGreaterThan(5);
      for (let refused = 0; refused < REFUSALS; ) {
        const [request] = fc.sample(anyWrite, 1);
        if (!request) throw new Error('fast-check gave no request.');
        const isRefused = (await send(ana, request)).status >= 400;
        const after = await state();
        if (isRefused) {
          refused += 1;
          expect(after, JSON.stringify(request)).toEqual(before);
        }
        before = after;
      }
    });
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
