import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Endpoint, takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import { createCreditNote } from '#shared/contract/invoices/create-credit-note.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { sendInvoice } from '#shared/contract/invoices/send-invoice.ts';
import { createUser } from '#shared/contract/organization/create-user.ts';
import { createProduct } from '#shared/contract/products/create-product.ts';
import { confirmRemoteSync } from '#shared/contract/remote/confirm-remote-sync.ts';
import { importRows } from '#shared/contract/remote/import-rows.ts';
import { kindOf } from '#shared/data/layout/keys.ts';
import { routes } from '#shared/routes.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import type { Json, Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { invokeWith } from '#test/support/invoke.ts';
import { deathsOf, mayDie, useKilling } from '#test/support/kill.ts';
import { endLease } from '#test/support/leases.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import { resourceOf } from '#test/support/resources.ts';
import { scanTable } from '#test/support/table-scan.ts';

/** Requests with an `Idempotency-Key` whose functions die at any of their writes. */

vi.hoisted(() => {
  process.env.SECRETS_KEY_ID = 'alias/billwright-secrets';
});

useOwnCloud();
useKilling();

afterEach(() => {
  vi.useRealTimers();
});

interface Scene {
  readonly params?: Record<string, string>;
  readonly body?: unknown;
}

const TRACKED = { dateFrom: '2026-11-20', dateTo: '2026-11-20', groupBy: 'entry' };

/** Bills the entries of a day. */
async function billing(by: User, count: number): Promise<Scene> {
  const { id: clientId } = await given.client(by);
  const project = await given.project(by, { clientId, rate: 10 });
  await bookEntries(by, project, count, [TRACKED.dateFrom]);
  return { body: { clientId, timeEntries: TRACKED } };
}

/** What the requests that create something say; others name what there is. */
const creations: Readonly<Record<string, (by: User) => Promise<Scene>>> = {
  createProduct: async () => ({ body: createProduct.example.body }),
  createClient: async () => ({ body: { name: 'Northwind' } }),
  createProject: async (by) => ({ body: { name: 'Website', clientId: (await given.client(by)).id } }),
  createEntry: async (by) => {
    const { id: clientId } = await given.client(by);
    const { id: projectId } = await given.project(by, { clientId, rate: 50 });
    return { body: { description: 'Work', durationMinutes: 60, entryDate: '2026-11-20', projectId } };
  },
  createCreditNote: async (by) => {
    const { id: clientId } = await given.client(by);
    const entry = await given.entry(by, { clientId, rate: 50 });
    const { id } = await given.sentInvoice(by, { clientId, lineItems: [{ entryIds: [entry.id] }] });
    return { params: { id }, body: { reason: 'Cancelled' } };
  },
  createUser: async () => ({ body: createUser.example.body }),
  startTimer: async (by) => ({ body: { projectId: (await given.project(by)).id } }),
  previewRemoteSync: async (by) => {
    await given.connection(by);
    return { body: {} };
  },
};

/** An import is answered before its work is done, and an invoice takes entries first. They have tests of their own. */
const UNLIKE: readonly Endpoint[] = [confirmRemoteSync, importRows, createInvoice];

const named = routes.filter((route) => takesIdempotencyKey(route) && !UNLIKE.includes(route));

async function sceneOf(endpoint: Endpoint, by: User): Promise<Scene> {
  const create = creations[endpoint.operationId];
  if (create) return create(by);
  const [, name = ''] = /\{(\w+)\}/.exec(endpoint.path) ?? [];
  return { params: { [name]: await resourceOf(endpoint, by) }, body: endpoint.example.body };
}

function send(endpoint: Endpoint, by: User, scene: Scene, key: string): Promise<Reply> {
  return invokeWith(endpoint, `Bearer ${by.apiKey}`, { ...scene, headers: { 'idempotency-key': key } });
}

const isReplayed = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true';

/** When nobody waits any more for what began now. The contract allows 120 seconds. */
async function passTime(): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 95_000 });
}

const MOMENTS: ReadonlySet<string> = new Set(['version', 'expiresAtEpochSeconds', 'leaseEndsAt', 'numberedAt']);

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
  makeScene: (by: User) => Promise<Scene>,
  giveUp: (by: User) => Promise<void> = (by) => endLease(by, 'k'),
): Promise<void> {
  const clean = await given.user();
  const first = await makeScene(clean);
  const { writes, outcome } = await mayDie(undefined, () => send(endpoint, clean, first, 'k'));
  const status = outcome === 'killed' ? 0 : outcome.value.status;
  expect(status).toBeLessThan(300);
  const scenes: { by: User; at: string }[] = [];
  for (const death of deathsOf(writes)) {
    const by = await given.user();
    const scene = await makeScene(by);
    const at = `${death.moment} write ${death.write} of ${writes}`;
    expect((await mayDie(death, () => send(endpoint, by, scene, 'k'))).outcome, at).toBe('killed');
    const early = await send(endpoint, by, scene, 'k');
    expect(early.status === status || early.body.code === 'idempotency_in_progress', at).toBe(true);
    await giveUp(by);
    const late = await send(endpoint, by, scene, 'k');
    const again = await send(endpoint, by, scene, 'k');
    vi.useRealTimers();
    expect([late.status, again.status, again.body], at).toEqual([status, status, late.body]);
    if (early.status === status) expect(late.body, at).toEqual(early.body);
    expect(isReplayed(again), at).toBe(true);
    scenes.push({ by, at });
  }
  const items = await itemsByOrganization();
  const effectsOn = ({ organization }: User) => effectsOf(items.get(organization.id));
  for (const { by, at } of scenes) expect(effectsOn(by), at).toEqual(effectsOn(clean));
}

describe('wherever its function dies', () => {
  it.each(named.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    '%s takes effect at most once, and is answered once it is sent again',
    { timeout: 240_000 },
    async (_, endpoint) => dieEverywhere(endpoint, (by) => sceneOf(endpoint, by)),
  );

  it.each([sendInvoice, createCreditNote].map((endpoint) => [endpoint.operationId, endpoint] as const))(
    '%s gives one number of a series by month at most, and no gap',
    { timeout: 240_000 },
    async (_, endpoint) =>
      dieEverywhere(endpoint, async (by) => {
        const numbering = { format: '{yyyy}/{mm}-{n}', next: 118 };
        await by.patch('/v1/organization', { invoiceNumbering: numbering, creditNoteNumbering: numbering });
        return sceneOf(endpoint, by);
      }),
  );

  it.each([10, 50])(
    'createInvoice bills %i entries once or not at all, of which a transaction takes 48',
    { timeout: 400_000 },
    async (count) => {
      await dieEverywhere(createInvoice, (by) => billing(by, count), passTime);
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
      return by;
    };
    const asked = { body: { origin: 'old-tracker', rows } };
    const { writes } = await mayDie(undefined, async () => send(endpoint, await prepare(), asked, 'k'));
    for (const death of deathsOf(writes)) {
      const by = await prepare();
      const { outcome } = await mayDie(death, () => send(endpoint, by, asked, 'k'));
      await endLease(by, 'k');
      const late = await send(endpoint, by, asked, 'k');
      const again = await send(endpoint, by, asked, 'k');
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
