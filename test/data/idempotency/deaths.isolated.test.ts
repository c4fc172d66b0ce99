import { describe, expect, it, vi } from 'vitest';
import { type Endpoint, takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { confirmRemoteSync } from '#shared/contract/remote/confirm-remote-sync.ts';
import { importRows } from '#shared/contract/remote/import-rows.ts';
import { kindOf } from '#shared/data/layout/keys.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { isReplayed, type Json, type Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { invokeWith } from '#test/support/invoke.ts';
import { deathsOf, mayDie, useKilling } from '#test/support/kill.ts';
import { endLease } from '#test/support/leases.ts';
import { requests } from '#test/support/linked-requests.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import { scanTable } from '#test/support/table-scan.ts';

/** Requests with an `Idempotency-Key` whose functions die at any of their writes. */

vi.hoisted(() => {
  process.env.SECRETS_KEY_ID = 'alias/billwright-secrets';
});

useOwnCloud();
useKilling();

interface Scene {
  readonly by: User;
  readonly asked: Parameters<typeof invokeWith>[2];
}

const TRACKED = { dateFrom: '2026-11-20', dateTo: '2026-11-20', groupBy: 'entry' };

/** Bills the entries of a day. */
async function billing(count: number): Promise<Scene> {
  const by = await given.user();
  const { id: clientId } = await given.client(by);
  const project = await given.project(by, { clientId, rate: 10 });
  await bookEntries(by, project, count, [TRACKED.dateFrom]);
  return { by, asked: { body: { clientId, timeEntries: TRACKED } } };
}

/** An import is answered before its work is done, and an invoice takes entries first. They have tests of their own. */
const UNLIKE: readonly Endpoint[] = [confirmRemoteSync, importRows, createInvoice];

const named = requests((endpoint) => takesIdempotencyKey(endpoint) && !UNLIKE.includes(endpoint));

function send(endpoint: Endpoint, { by, asked }: Scene, key: string): Promise<Reply> {
  return invokeWith(endpoint, `Bearer ${by.apiKey}`, { ...asked, headers: { 'idempotency-key': key } });
}

/** When nobody waits any more for what began now. The contract allows 120 seconds. */
async function passTime(): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 95_000 });
}

const MOMENTS: ReadonlySet<string> = new Set([
  ...['version', 'leaseEndsAt', 'numberedAt'],
  ...['expiresAtEpochSeconds', 'oldestExpiresAtEpochSeconds'],
]);

type Item = Readonly<Record<string, unknown>>;

/** Everything in the table, by the organization that has it. */
async function itemsByOrganization(): Promise<Map<string, Item[]>> {
  const items: Item[] = [];
  for await (const item of scanTable()) items.push(item);
  return Map.groupBy(items, ({ pk }) => String(pk).split('#')[1] ?? '');
}

/** Of each kind: how many items there are, and the sum of all their numbers. */
function effectsOf(items: readonly Item[] = []): Record<string, string> {
  const kinds = Map.groupBy(items, ({ pk }) => kindOf(String(pk)));
  kinds.delete('IDEMPOTENCY');
  return Object.fromEntries(
    [...kinds].map(([kind, each]) => [
      kind,
      `${sizeOf(kind, each)} items of ${each.reduce((sum, item) => sum + sumOf(item), 0n)}`,
    ]),
  );
}

/** Rows of the directory lie in packs by the digits of their ids, so chance makes the number of packs. */
function sizeOf(kind: string, items: readonly Item[]): number {
  const membersOf = ({ pk: _pk, sk: _sk, ...members }: Item) => Object.keys(members).length;
  return kind === 'DIRECTORY' ? items.reduce((sum, item) => sum + membersOf(item), 0) : items.length;
}

function sumOf(value: Json): bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return BigInt(value);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return 0n;
  return Object.entries(value).reduce((sum, [name, each]) => (MOMENTS.has(name) ? sum : sum + sumOf(each)), 0n);
}

/** Lets the function die at each of its writes, and sends the request again until it is answered. */
async function dieEverywhere(
  endpoint: Endpoint,
  makeScene: () => Promise<Scene>,
  giveUp: (by: User) => Promise<void> = (by) => endLease(by, 'k'),
): Promise<void> {
  const clean = await makeScene();
  const { writes, outcome } = await mayDie(undefined, () => send(endpoint, clean, 'k'));
  const status = outcome === 'killed' ? 0 : outcome.value.status;
  expect(status).toBeLessThan(300);
  const scenes: { by: User; at: string }[] = [];
  for (const death of deathsOf(writes)) {
    const scene = await makeScene();
    const at = `${death.moment} write ${death.write} of ${writes}`;
    expect((await mayDie(death, () => send(endpoint, scene, 'k'))).outcome, at).toBe('killed');
    const early = await send(endpoint, scene, 'k');
    expect(early.status === status || early.body.code === 'idempotency_in_progress', at).toBe(true);
    await giveUp(scene.by);
    const late = await send(endpoint, scene, 'k');
    const again = await send(endpoint, scene, 'k');
    vi.useRealTimers();
    expect([late.status, again.status, again.body], at).toEqual([status, status, late.body]);
    if (early.status === status) expect(late.body, at).toEqual(early.body);
    expect(isReplayed(again), at).toBe(true);
    scenes.push({ by: scene.by, at });
  }
  const items = await itemsByOrganization();
  const effectsOn = ({ organization }: User) => effectsOf(items.get(organization.id));
  for (const { by, at } of scenes) expect(effectsOn(by), at).toEqual(effectsOn(clean.by));
}

describe('wherever its function dies', () => {
  it.each(named)(
    '$title takes effect at most once, and is answered once it is sent again',
    { timeout: 240_000 },
    async ({ endpoint, prepare }) =>
      dieEverywhere(endpoint, async () => {
        const { all, params, asked } = await prepare();
        return { by: all.ana, asked: { params, ...asked } };
      }),
  );

  it.each([10, 50])(
    'createInvoice bills %i entries once or not at all, of which a transaction takes 48',
    { timeout: 400_000 },
    async (count) => {
      await dieEverywhere(createInvoice, () => billing(count), passTime);
    },
  );

  it.each<[string, Endpoint]>([
    ['confirmRemoteSync', confirmRemoteSync],
    ['importRows', importRows],
  ])('%s makes one job, and imports each row once', { timeout: 240_000 }, async (_, endpoint) => {
    const rows = Array.from({ length: 3 }, (_, i) => ({ date: '2026-11-20', durationMinutes: 30 + i }));
    const prepare = async () => {
      const by = await given.user();
      await given.connection(by);
      return { by, asked: { body: { origin: 'old-tracker', rows } } };
    };
    const { writes } = await mayDie(undefined, async () => send(endpoint, await prepare(), 'k'));
    for (const death of deathsOf(writes)) {
      const scene = await prepare();
      const { by } = scene;
      const { outcome } = await mayDie(death, () => send(endpoint, scene, 'k'));
      await endLease(by, 'k');
      const late = await send(endpoint, scene, 'k');
      const again = await send(endpoint, scene, 'k');
      expect([200, 202]).toContain(late.status);
      expect([again.status, again.body]).toEqual([late.status, late.body]);
      const history = (await by.get('/v1/work/tracker/remote/sync/history')).body;
      expect(history.meta.total, `${death.moment} write ${death.write}`).toBe(1);
      expect(history.data[0].id).toBe(late.body.data.importJobId);
      const { total } = (await by.get('/v1/work/tracker/entries')).body.meta;
      expect(outcome === 'killed' ? [0, rows.length] : [rows.length]).toContain(total);
    }
  });
});
