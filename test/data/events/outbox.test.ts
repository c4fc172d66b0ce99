import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { record, recordAll } from '#shared/data/events/outbox.ts';
import { happening, SCHEDULE } from '#shared/domain/events/happening.ts';
import { follow } from '#test/support/feeds.ts';
import { putItems } from '#test/support/table-scan.ts';

it('events take as few items as can be, of fifty at most, which a page of the feed takes whole', () => {
  const happenings = Array.from({ length: 101 }, () => happening('client.updated', { id: randomUUID() }));
  const written = (count: number) =>
    recordAll('acme', SCHEDULE, new Date(), happenings.slice(0, count)).map(({ Put }) => Put?.Item?.events.length);
  expect([0, 1, 50, 51, 101].map(written)).toEqual([[], [1], [50], [50, 1], [50, 50, 1]]);
  expect(() => record('acme', SCHEDULE, new Date(), happenings.slice(0, 51))).toThrow('at most 50 events');
});

it('an event is kept for 90 days, and read with all that it says', async () => {
  const acme = randomUUID();
  const now = new Date('2026-11-20T10:00:00.001Z');
  const actor = { userId: randomUUID(), keyId: randomUUID(), via: 'api_key' } as const;
  const [projectId, clientId] = [randomUUID(), randomUUID()];
  const object = { id: randomUUID(), invoiceId: randomUUID(), projectId, clientId };
  const what = { type: 'entries.imported', object, entryIds: [randomUUID()] } as const;
  const { Put } = record(acme, actor, now, [what, happening('client.updated', { id: object.id })]);
  expect(Put?.Item?.expiresAtEpochSeconds).toBe(Date.parse('2027-02-18T10:00:01.000Z') / 1_000);
  await putItems([Put?.Item ?? {}]);
  const { events } = await follow(acme, 0, 1, now);
  expect(events[0]).toEqual({ ...what, id: expect.any(String), sequence: 1, timestamp: now.toISOString(), actor });
});

it('an event that no reader could read is not written', () => {
  const unreadable = JSON.parse('{ "type": "client.updated", "object": {} }');
  expect(() => record('acme', SCHEDULE, new Date(), [unreadable])).toThrow('"id"');
});

it('events of one moment have ids in their order, also the first of a function', async () => {
  const module = join(import.meta.dirname, '../../../shared/data/events/outbox.ts');
  const started: typeof import('#shared/data/events/outbox.ts') = await import(`${module}?started`);
  const now = new Date();
  const items = [1, 2, 1, 3].map((count) => {
    const happenings = Array.from({ length: count }, () => happening('client.updated', { id: randomUUID() }));
    return started.record('acme', SCHEDULE, now, happenings).Put?.Item;
  });
  const ids = items.flatMap((item) => item?.events.map((event: { id: string }) => event.id));
  expect(ids).toEqual(ids.toSorted());
  expect(items.map((item) => item?.sk)).toEqual(items.map((item) => item?.events[0].id));
});
