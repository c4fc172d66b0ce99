import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidV7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { ReadBound } from '#shared/data/table/read-bound.ts';
import { countPage, rangeTooLarge } from '#shared/data/tracker/entry-counts.ts';
import { readEntryList } from '#shared/data/tracker/entry-list.ts';
import { type Entry, newEntry } from '#shared/domain/tracker/entry.ts';
import { bookEntries, bookOnDays } from '#test/support/bulk-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';

/** A day with thousands of entries of long texts, in a few projects, of which some have clock times. */

const DAY = '2026-03-10';
const ENTRIES = 3_300;
const HOURS = 12;
/** An entry takes nearly half a read unit. */
const LENGTH = 600;
/** Entries by which it is known that the day has few projects. Its sums are six pages: each project, billable or not. */
const SAMPLE = 64;

let ana: User;
const projects: Json[] = [];
let entries: Entry[] = [];

beforeAll(async () => {
  ana = await given.user({ rateLimit: 1_000 });
  const client = await given.client(ana);
  for (const clientId of [client.id, client.id, null]) projects.push(await given.project(ana, { clientId }));
  entries = Array.from({ length: ENTRIES }, (_, position) => entryAt(position));
  await bookOnDays(entries);
  await invoke(listEntries, ana);
}, 240_000);

function entryAt(position: number): Entry {
  const owner = { organizationId: ana.organization.id, userId: ana.userId, currency: 'USD' };
  const project = projects[(position * 7) % projects.length];
  const startTime = `${10 + ((position * 5) % HOURS)}:30`;
  const draft = {
    description: `${position} `.padEnd(LENGTH, 'x'),
    durationMinutes: 30,
    entryDate: DAY,
    billable: position % 5 > 0,
    ...(position % 3 > 0 && { startTime, endTime: '23:00' }),
  };
  const createdAt = new Date(Date.parse(DAY) + ((position * 11) % ENTRIES) * 1_000);
  return newEntry(draft, { ...project, defaultRate: null }, owner, uuidV7(), createdAt);
}

/** Newest first: by start, then by creation. */
function listed(isWanted: (entry: Entry) => boolean = () => true): string[] {
  const order = ({ startedAt, createdAt, id }: Entry) => [startedAt ?? '', createdAt, id].join(' ');
  return entries
    .filter(isWanted)
    .sort((one, other) => (order(one) < order(other) ? 1 : -1))
    .map(({ id }) => id);
}

const LIMIT = 20;

type Filter = Parameters<typeof readEntryList>[1];

async function pageOf(filter: Filter, offset: number, limit = LIMIT): Promise<string[]> {
  const { items } = await readEntryList(ana.organization.id, filter, { offset, limit });
  return items.map(({ id }) => id);
}

describe('a page of a crowded day', () => {
  it.each<[string, () => Filter, (entry: Entry) => boolean]>([
    ['all entries', () => ({}), () => true],
    ['a client', () => ({ clientId: projects[0]?.clientId }), ({ clientId }) => clientId !== null],
    ['what is billable', () => ({ billable: true }), ({ billable }) => billable],
    ['what is not billable', () => ({ billable: false }), ({ billable }) => !billable],
    ['a project', () => ({ projectId: projects[2]?.id }), ({ projectId }) => projectId === projects[2]?.id],
  ])('has the entries of its place: %s', async (_, filter, isWanted) => {
    const expected = listed(isWanted);
    const offsets = [
      0,
      7,
      333,
      expected.length / 2 - 10,
      expected.length - 400,
      expected.length - LIMIT,
      expected.length - 3,
    ];
    for (const offset of offsets.map(Math.floor)) {
      expect(await pageOf(filter(), offset), `${offset}`).toEqual(expected.slice(offset, offset + LIMIT));
    }
    expect(await pageOf(filter(), expected.length)).toEqual([]);
  });

  it.each<[string, () => Filter, number, number, number]>([
    ['the newest 20', () => ({}), 0, 20, 57],
    ['the oldest 20', () => ({}), ENTRIES - 20, 20, 57],
    ['the newest 100', () => ({}), 0, 100, 148],
    ['20 behind 300', () => ({}), 300, 20, 364],
    ['the newest 20 of a client', () => ({ clientId: projects[0]?.clientId }), 0, 20, 30],
  ])(
    'costs what it shows, and not what the day has, which is some 1,400 read units: %s',
    async (_, filter, offset, limit, units) => {
      expect((await costOf(() => pageOf(filter(), offset, limit))).readUnits).toBe(units);
    },
  );

  it('is counted by a sample of the day and its sums, as far as the page may read', async () => {
    const window = { offset: 0, limit: LIMIT };
    const tooMuch = rangeTooLarge('These are too many rows');
    const counted = (rows: number) =>
      countPage(ana.organization.id, {}, window, new ReadBound(() => tooMuch, { rows }));
    await expect(counted(SAMPLE + 5)).rejects.toBe(tooMuch);
    expect((await counted(SAMPLE + 6)).total).toBe(ENTRIES);
  });

  it.each([
    ['the ranges of the day are counted', ':day'],
    ['they are read', ':prefix'],
  ])('has what was booked on the day before %s', async (_, value) => {
    const read = (offset: number) => readEntryList(ana.organization.id, {}, { offset, limit: LIMIT });
    const { total: before } = await read(0);
    let booked: string[] = [];
    const isAwaited = (command: object) =>
      command instanceof QueryCommand && command.input.ExpressionAttributeValues?.[value] !== undefined;
    beforeCalls(isAwaited, [
      async () => {
        booked = await bookEntries(ana, projects[0] ?? null, 1, [DAY]);
      },
    ]);
    const { total } = await read(ENTRIES - LIMIT);
    expect(booked).toHaveLength(1);
    expect(total).toBe(before + 1);
  });
});
