import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { record, recordAll } from '#shared/data/events/outbox.ts';
import { happening, SCHEDULE } from '#shared/domain/events/happening.ts';

it('events take as few items as can be, of fifty at most, which a page of the feed takes whole', () => {
  const happenings = Array.from({ length: 101 }, () => happening('client.updated', { id: randomUUID() }));
  const written = (count: number) =>
    recordAll('acme', SCHEDULE, new Date(), happenings.slice(0, count)).map(({ Put }) => Put?.Item?.events.length);
  expect([0, 1, 50, 51, 101].map(written)).toEqual([[], [1], [50], [50, 1], [50, 50, 1]]);
  expect(() => record('acme', SCHEDULE, new Date(), happenings.slice(0, 51))).toThrow('at most 50 events');
});
