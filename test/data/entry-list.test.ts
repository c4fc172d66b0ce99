import { DeleteCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listEntries } from '#shared/contract/entries.ts';
import { database, TABLE_NAME } from '#shared/data/client.ts';
import { type StoredEntry, writeEntries } from '#shared/data/entries.ts';
import { clientKey, ledgerMonthPartition, projectKey } from '#shared/data/table.ts';
import { bookEntries, storedEntries } from '#test/support/bulk-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';

const LIMIT = 20;

afterEach(() => vi.restoreAllMocks());

const idsOf = ({ data }: Json): string[] => data.map(({ id }: Json) => id);

/** Lets something happen between the reading of the ledger and that of the first cell. */
function beforeFirstCell(happen: () => Promise<unknown>): void {
  beforeFirstQuery(({ IndexName }) => IndexName === 'byCell', happen);
}

/** Lets something happen between the reading of the ledger's years and that of its months. */
function beforeFirstMonth(by: User, happen: () => Promise<unknown>): void {
  const partition = ledgerMonthPartition(by.organization.id);
  beforeFirstQuery(({ ExpressionAttributeValues }) => ExpressionAttributeValues?.[':partition'] === partition, happen);
}

function beforeFirstQuery(isAwaited: (input: QueryCommandInput) => boolean, happen: () => Promise<unknown>): void {
  beforeCalls((command) => command instanceof QueryCommand && isAwaited(command.input), [happen]);
}

/** As the worker does it that removes the links to what is deleted. */
async function unlink(by: User, entries: readonly StoredEntry[], link: Link): Promise<void> {
  const changes = entries.map((before) => ({ before, after: { ...before, [link]: null } }));
  const gone = link === 'projectId' ? entries.flatMap(({ projectId }) => projectId ?? []) : [];
  await writeEntries(by.organization.id, changes, { goneProjects: gone });
}

type Link = 'projectId' | 'clientId';

const KEYS = { projectId: projectKey, clientId: clientKey };

/** A day of entries with both links, and how to take away what one of them leads to, so that no worker notices. */
async function scene(link: Link) {
  const ana = await given.user();
  const { id: clientId } = await given.client(ana);
  const project = await given.project(ana, { clientId });
  const ids = await bookEntries(ana, project, 300, ['2026-11-20']);
  const Key = KEYS[link](ana.organization.id, link === 'projectId' ? project.id : clientId);
  const list = (offset = 0) => invoke(listEntries, ana, { query: { limit: `${LIMIT}`, offset: `${offset}` } });
  return { ana, ids, list, takeAway: () => database.send(new DeleteCommand({ TableName: TABLE_NAME, Key })) };
}

describe.each(['projectId', 'clientId'] as const)('a list of entries whose %s leads to nothing', (link) => {
  it('has those that a worker moves, while a part of their day is read, to where none was before', async () => {
    const { ana, ids, list, takeAway } = await scene(link);
    const pages = [idsOf(await list(0)), idsOf(await list(LIMIT))];
    const stored = await storedEntries(ana, ids);
    await takeAway();
    for (const [position, page] of pages.entries()) {
      const moved = page.map((id) => stored.get(id)).filter((entry) => entry !== undefined);
      beforeFirstCell(() => unlink(ana, moved, link));
      expect(idsOf(await list(position * LIMIT))).toEqual(page);
      vi.restoreAllMocks();
    }
  });

  it('takes no round trip more than others, but one for the name of a client', async () => {
    const { list, takeAway } = await scene(link);
    expect((await costOf(list)).roundTrips).toBe(4);
    await takeAway();
    expect((await costOf(list)).roundTrips).toBe(link === 'projectId' ? 4 : 5);
  });
});

describe('a list of entries of all time', () => {
  it('has an entry that somebody moves to another cell while a part of its day is read', async () => {
    const { ana, ids, list } = await scene('projectId');
    const page = idsOf(await list());
    const moved = (await storedEntries(ana, ids)).get(page[0] ?? '');
    beforeFirstCell(() => unlink(ana, moved ? [moved] : [], 'projectId'));
    expect(idsOf(await list())).toEqual(page);
  });

  it('counts what is booked between its looking at the year and at the month', async () => {
    const ana = await given.user();
    const booked = await bookEntries(ana, null, 30, ['2026-10-05', '2026-11-20']);
    const query = { limit: '100' };
    let added: string[] = [];
    beforeFirstMonth(ana, async () => {
      added = await bookEntries(ana, null, 1, ['2026-10-05']);
    });
    const reply = await invoke(listEntries, ana, { query });
    expect(reply.meta.total).toBe(31);
    expect(new Set(idsOf(reply))).toEqual(new Set([...booked, ...added]));
  });

  it('takes four round trips, and one of three months three', async () => {
    const { ana, list } = await scene('projectId');
    const ofMonths = (dateFrom: string) => () =>
      invoke(listEntries, ana, { query: { limit: `${LIMIT}`, dateFrom, dateTo: '2026-11-30' } });
    expect((await costOf(list)).roundTrips).toBe(4);
    expect((await costOf(ofMonths('2026-08-31'))).roundTrips).toBe(4);
    expect((await costOf(ofMonths('2026-09-01'))).roundTrips).toBe(3);
    expect(idsOf(await ofMonths('2026-09-01')())).toEqual(idsOf(await list()));
  });

  it('asks for no months of the ledger as a whole for one project of many', async () => {
    const ana = await given.user();
    const dates = ['2025-03-01', '2025-09-01', '2026-01-01', '2026-06-01', '2026-11-20'];
    const projects = await Promise.all(Array.from({ length: 12 }, () => given.project(ana)));
    for (const project of projects) await bookEntries(ana, project, 15, dates);
    const all = await invoke(listEntries, ana, { query: { limit: '200' } });
    const ofFirst = await invoke(listEntries, ana, { query: { projectId: projects[0]?.id ?? '' } });
    expect(idsOf(ofFirst)).toEqual(idsOf(all).filter((id) => idsOf(ofFirst).includes(id)));
    expect(idsOf(ofFirst)).toHaveLength(15);
    const queriesOfMonths = async (query: Record<string, string>) => {
      const queried = vi.fn(async () => {});
      beforeFirstMonth(ana, queried);
      await invoke(listEntries, ana, { query });
      vi.restoreAllMocks();
      return queried.mock.calls.length;
    };
    expect(await queriesOfMonths({})).toBe(1);
    expect(await queriesOfMonths({ projectId: projects[0]?.id ?? '' })).toBe(0);
  });

  it.each([
    ['thirteen months', ['2025-11-20', '2025-12-01', '2026-04-30', '2026-11-19']],
    ['days of many years', ['1999-12-31', '2004-02-29', '2011-06-15', '2026-11-20']],
  ])('over %s has the same pages by days and by months', async (_, dates) => {
    const ana = await given.user();
    const project = await given.project(ana);
    const other = await bookEntries(ana, null, 40, dates);
    const own = await bookEntries(ana, project, 12, dates);
    const all = async (query: Record<string, string>) => idsOf(await invoke(listEntries, ana, { query }));
    const whole = await all({ limit: '200' });
    expect(new Set(whole)).toEqual(new Set([...own, ...other]));
    const byDays = await Promise.all(dates.map((date) => all({ dateFrom: date, dateTo: date })));
    expect(whole).toEqual(byDays.reverse().flat());
    for (let offset = 0; offset < whole.length; offset += 7) {
      expect(await all({ limit: '7', offset: `${offset}` })).toEqual(whole.slice(offset, offset + 7));
    }
    const ofProject = whole.filter((id) => own.includes(id));
    expect(await all({ projectId: project.id, limit: '5', offset: '4' })).toEqual(ofProject.slice(4, 9));
    const [first = '', last = ''] = [dates[0], dates.at(-1)];
    expect(await all({ dateFrom: first, dateTo: last, limit: '200' })).toEqual(whole);
  });
});
