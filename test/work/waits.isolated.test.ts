import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newWebhook } from '#shared/domain/events/webhook.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { newImport } from '#shared/domain/remote/import-job.ts';
import { deliverEvents } from '#shared/work/events/deliver-events.ts';
import { awaitImport } from '#shared/work/remote/await-import.ts';

/** How long work waits before it looks again. Time passes only while it waits. */

const { findWebhook, readStanding, trySaveWebhook, readFeed, getImport, sleep } = vi.hoisted(() => ({
  findWebhook: vi.fn(),
  readStanding: vi.fn(),
  trySaveWebhook: vi.fn(),
  readFeed: vi.fn(),
  getImport: vi.fn(),
  sleep: vi.fn(async (milliseconds: number) => void vi.setSystemTime(Date.now() + milliseconds)),
}));

vi.mock('node:timers/promises', () => ({ setTimeout: sleep }));
vi.mock('#shared/data/events/webhooks.ts', () => ({ findWebhook, readStanding, trySaveWebhook }));
vi.mock('#shared/data/events/feed.ts', () => ({ readFeed }));
vi.mock('#shared/data/remote/imports.ts', () => ({ getImport }));

const pauses = () => sleep.mock.calls.map(([milliseconds]) => milliseconds);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.clearAllMocks();
});

const maker = { userId: 'ana', keyId: null, scopes: SCOPES };
const made = { id: 'w', organizationId: 'acme', maker, secrets: [], after: 7 };
const webhook = newWebhook({ url: 'https://hooks.example.com', types: ['*'] }, made, new Date());

const deliver = async (from: number, until?: number) => {
  findWebhook.mockResolvedValue(webhook);
  await deliverEvents({ organizationId: 'acme', webhookId: 'w', from, until }, () => 60_000);
};

it.each([
  [-1, 0],
  [500, 501],
  [60_000, 10_000],
])(
  'an attempt of the moment in %d ms is waited for, a little longer than until then and 10 s at most: %d ms',
  async (milliseconds, pause) => {
    readStanding.mockResolvedValue({ webhook: undefined });
    await deliver(Date.now() + milliseconds);
    expect(pauses()).toEqual([pause]);
  },
);

it('a webhook that has all is looked at each second before its message ends', async () => {
  readStanding.mockResolvedValue({ webhook, role: 'admin', hasKey: true });
  readFeed.mockResolvedValue({ events: [], last: 7, hasMore: false });
  await deliver(0, Date.now() + 3_000);
  expect(pauses()).toEqual([0, 1_000, 1_000, 1_000]);
  expect(readFeed).toHaveBeenCalledTimes(4);
});

it.each([
  ['at', 0, 1],
  ['a millisecond before', 1, 0],
])('a webhook that stands still has its feed read once a day: %s the moment', async (_, milliseconds, readings) => {
  const dueAt = new Date(Date.now() + milliseconds).toISOString();
  readStanding.mockResolvedValue({ webhook: { ...webhook, status: 'paused', dueAt } });
  await deliver(0);
  expect(readFeed).toHaveBeenCalledTimes(readings);
  const next = { dueAt: new Date(Date.now() + 86_400_000).toISOString() };
  expect(trySaveWebhook.mock.calls.map(([, changes]) => changes)).toEqual(Array(readings).fill(next));
});

it.each([
  [0, 0],
  [20, 20],
  [21, 46],
  [900, 1_102],
  [2_200, 2_352],
])('an import that takes %d ms is seen to have ended after %d', async (milliseconds, seen) => {
  const asked = { id: 'job', organizationId: 'acme', userId: 'ana', keyId: null, accountId: 'account', origin: null };
  const counts = { trigger: 'confirm', updateChanged: false, totalCount: 1, unitCount: 1 } as const;
  const begun = newImport({ ...asked, ...counts }, 0, new Date());
  const waited = () => pauses().reduce((sum, pause) => sum + pause, 0);
  getImport.mockImplementation(async () => ({ ...begun, status: waited() < milliseconds ? 'processing' : 'imported' }));
  const isPatient = () => sleep.mock.calls.length < 100;
  expect(await awaitImport(begun, isPatient)).toMatchObject({ status: 'imported' });
  expect(Math.round(waited())).toBe(seen);
  expect(getImport).toHaveBeenCalledTimes(pauses().length + 1);
});
